import { templateMarks } from '../../src/engine-worker/llama-cpp/prompt/template-marks.ts';
import { ChatTemplate } from '../../src/engine-worker/llama-cpp/prompt/chat-template.ts';
import { callSyntaxOf } from '../../src/engine-worker/tools/call-syntax/call-syntax-of.ts';
import type { CompletionRequest, Tool } from '../../src/shared/engine/completion-request.ts';
import { WRITTEN_CALLS } from '../engine-worker/tools/written-calls.ts';
import type { Asked, Family } from './ask-family.ts';

const messages: CompletionRequest['messages'] = [{ role: 'user', content: 'Question' }];
/** The tools that {@link WRITTEN_CALLS} call. */
const tools: readonly Tool[] = [
  {
    name: 'weather',
    description: 'Tells the weather.',
    parameters: {
      type: 'object',
      properties: { city: { type: 'string' }, days: { type: 'integer' }, deep: { type: 'object' } },
    },
  },
  { name: 'ping', description: 'Answers.', parameters: null },
];
const SCHEMA = { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] } as const;

/**
 * Tries what comes of the answers of a family.
 * @returns what is wrong with each behaviour; null if nothing is, undefined if it was not tried because llama.cpp renders
 * the template.
 */
export async function answerBehaviours(
  family: Family,
  source: string,
): Promise<ReadonlyMap<string, string | null | undefined>> {
  const results = new Map<string, string | null | undefined>();
  const template = new ChatTemplate(source, { begin: '<s>', end: '</s>', addsBegin: false });
  const isRendered = template.works;
  const { prompt } = await family.ask({ messages });
  const added = family.marks.map((text, id) => ({ id, text, special: true }));
  const marks = isRendered ? templateMarks(source, template, added) : null;

  const hostile = family.marks.join(' ');
  const withMarks = (await family.ask({ messages: [{ role: 'user', content: hostile }] })).prompt;
  results.set(
    'control tokens are letters',
    prompt === null
      ? undefined
      : countMarks(withMarks!, family) === countMarks(prompt, family)
        ? null
        : `obeyed in ${withMarks}`,
  );
  const begins = (prompt ?? '').split('<s>').length - 1;
  results.set('one BOS', prompt === null ? undefined : begins <= 1 ? null : `${begins} in ${prompt}`);

  const [open, close] = marks?.hasChannels
    ? ['<|channel|>analysis<|message|>', '<|end|><|start|>assistant']
    : [marks?.thinking?.open ?? '', marks?.thinking?.close ?? ''];
  const lead = marks?.hasChannels ? '<|channel|>final<|message|>' : '';
  const isOpen = open !== '' && prompt!.trimEnd().endsWith(open);
  const thought = open === '' ? '' : `${isOpen ? '' : open}\nI ponder.\n${close}\n\n`;
  const expectation = (content: string, asked: Asked) =>
    asked.content === content && asked.reasoning === (open === '' ? '' : 'I ponder.')
      ? null
      : JSON.stringify([asked.reasoning, asked.content]);
  const [before = '', after = ''] = [...(marks?.aroundText ?? [])].map((id) => family.marks[id]);
  const said = await family.ask({ messages }, `${thought}${lead}${before}Four.${after}`);
  results.set('thinking and white space at the edges', isRendered ? expectation('Four.', said) : undefined);
  const besideTools = await family.ask({ messages, tools }, `${thought}${lead}${before}Four.${after}`);
  results.set('thinking beside tools', isRendered ? expectation('Four.', besideTools) : undefined);
  const format = { type: 'json_schema', schema: SCHEMA } as const;
  const json = await family.ask({ messages, responseFormat: format }, `${thought}${lead}{"a":"<think>"}`);
  results.set('thinking beside a schema', isRendered ? expectation('{"a":"<think>"}', json) : undefined);

  const syntax = isRendered ? callSyntaxOf(source) : null;
  const isNative = besideTools.prompt !== null && !besideTools.prompt.includes('These functions can be called');
  const wanted = isNative && syntax !== null ? syntax.family : 'Hermes';
  const written = WRITTEN_CALLS.find(({ family: name }) => name === wanted)!.written;
  const { calls, content } = await family.ask({ messages, tools }, thought + written);
  const isRead = calls.length > 0 && calls[0]!.name === 'weather' && content === '';
  results.set('calls are read while they are written', isRead ? null : JSON.stringify([wanted, calls, content]));

  const inTurn = marks === null ? [] : [...marks.inAnswer].map((id) => family.marks[id]!);
  const banned = inTurn.filter((text) => said.forbidden.includes(text));
  results.set(
    'tokens of an answer and its end are allowed',
    marks === null ? undefined : banned.length === 0 ? null : `forbidden: ${banned.join(' ')}`,
  );
  return results;
}

function countMarks(text: string, { marks }: Family): number {
  return marks.reduce((count, mark) => count + text.split(mark).length - 1, 0);
}
