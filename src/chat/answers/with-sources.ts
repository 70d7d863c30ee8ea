import type { Message, Source } from '../types/conversation.ts';

/**
 * What the model shall do with the passages. In English, which models read best, and short, because small models follow
 * no long instructions.
 */
const TASK =
  'Answer the question from these passages, in the language of the question. After each statement put the number of its passage in brackets, such as [1]. If the passages do not contain the answer, say so.';

/** Puts passages before the last question of a path. Without passages the path stays as it is. */
export function withSources(path: readonly Message[], sources: readonly Source[] = []): readonly Message[] {
  const question = path.at(-1);
  if (question?.role !== 'user' || sources.length === 0) return path;
  const passages = sources.map(({ name, text }, index) => `[${index + 1}] ${nameLine(name)}\n${text}`);
  const text = ['Passages from documents:', ...passages, TASK, `Question: ${question.text}`].join('\n\n');
  return [...path.slice(0, -1), { ...question, text }];
}

/** The name of a file on one line, so that a name with line breaks cannot look like a passage. */
function nameLine(name: string): string {
  return name.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, ' ').slice(0, 200);
}
