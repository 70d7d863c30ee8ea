import type { SpecimenState, SpecimenTable } from './specimen.ts';
import { answerSpecimens } from './specimens/answers.ts';
import { appSpecimens } from './specimens/app.ts';
import { attachmentSpecimens } from './specimens/attachments.ts';
import { conversationSpecimens } from './specimens/conversation.ts';
import { developerSpecimens } from './specimens/developers.ts';
import { documentSpecimens } from './specimens/documents.ts';
import { listSpecimens } from './specimens/list.ts';
import { markdownSpecimens } from './specimens/markdown.ts';
import { modelSpecimens } from './specimens/models.ts';
import { privacySpecimens } from './specimens/privacy.ts';
import { temporarySpecimens } from './specimens/temporary.ts';
import { toolSpecimens } from './specimens/tools.ts';

/** All tables of specimens, by file name. */
export const TABLES: Readonly<Record<string, SpecimenTable>> = {
  app: appSpecimens,
  conversation: conversationSpecimens,
  attachments: attachmentSpecimens,
  answers: answerSpecimens,
  markdown: markdownSpecimens,
  list: listSpecimens,
  models: modelSpecimens,
  developers: developerSpecimens,
  documents: documentSpecimens,
  privacy: privacySpecimens,
  temporary: temporarySpecimens,
  tools: toolSpecimens,
};

/** Sample values that apply to a whole page. A specimen that sets one of them needs its own page. */
const ONCE_A_PAGE = [
  'answers',
  'collections',
  'completion',
  'conversations',
  'draft',
  'hash',
  'keys',
  'online',
  'policy',
  'records',
  'sentRequests',
  'site',
  'upstreams',
] as const satisfies readonly (keyof SpecimenState)[];

type NamedState = readonly [state: string, specimen: SpecimenState];

/**
 * Finds the specimens of a name: one for `answer-message/streaming`; for `answer-message`, all states of that element
 * that can be shown on one page.
 */
export function findSpecimens(name: string): readonly NamedState[] {
  const [element = '', chosen] = name.split('/');
  const table = Object.values(TABLES).find((table) => Object.hasOwn(table, element));
  const states = Object.entries(table?.[element] ?? {});
  return chosen === undefined ? standingTogether(states) : states.filter(([state]) => state === chosen);
}

/** Names of pages that together show every specimen of a table once, on as few pages as possible. */
export function pagesOf(table: SpecimenTable): readonly string[] {
  return Object.entries(table).flatMap(([element, states]) => {
    const together = standingTogether(Object.entries(states)).map(([state]) => state);
    const alone = Object.keys(states).filter((state) => !together.includes(state));
    return [...(together.length === 0 ? [] : [element]), ...alone.map((state) => `${element}/${state}`)];
  });
}

function standingTogether(states: readonly NamedState[]): readonly NamedState[] {
  return states.filter(
    ([, specimen]) =>
      (specimen.place ?? 'text') === 'text' && ONCE_A_PAGE.every((name) => specimen[name] === undefined),
  );
}
