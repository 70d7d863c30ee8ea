import type { CompletionEvent } from '../../shared/engine/completion-event.ts';
import type { StoredAnswer } from '../../shared/storage/stored-answer.ts';
import type { StoredAnswers } from '../completion/stored-answers.ts';
import type { ResponseDetail } from './response-detail.ts';
import { itemId, type ConversationItem, type OutputItem } from './response-items.ts';
import { ResponseWriter } from './response-writer.ts';

/** What `answers` stores responses as. */
export const RESPONSE_KIND = 'response';

/** What this very route has stored. */
export function detailOf({ detail }: StoredAnswer): ResponseDetail {
  return detail as ResponseDetail;
}

/** A writer that makes of the answer's events what was made of them when they came. */
export function writerOf(answer: StoredAnswer): ResponseWriter {
  return new ResponseWriter({ id: answer.id, created: answer.created, detail: detailOf(answer), awaitsId: true });
}

/**
 * What an answer that has ended said; null for one that runs or was lost.
 * @throws ApiError `storage_unavailable`.
 */
export async function storedOutput(
  answers: StoredAnswers,
  answer: StoredAnswer,
): Promise<readonly OutputItem[] | null> {
  const log = await answers.log(answer);
  if (log === undefined) return null;
  const writer = writerOf(answer);
  for (const event of log) writer.write(event);
  return writer.output;
}

/** What was asked, each item with an id: its own where it came with one. */
export function storedInput(answer: StoredAnswer): readonly (ConversationItem & { readonly id: string })[] {
  return detailOf(answer).input.map((item, index) => ({
    ...item,
    id: item.id ?? itemId(item.type, answer.id, `input_${index}`),
  }));
}

/**
 * Writes the next events of an answer.
 * @returns whether there is more to come.
 */
export async function writeNext(
  reader: ReadableStreamDefaultReader<readonly CompletionEvent[]>,
  writer: ResponseWriter,
): Promise<boolean> {
  const { done, value = [] } = await reader.read();
  for (const event of value) writer.write(event);
  const last = value.at(-1)?.type;
  return !done && last !== 'done' && last !== 'error';
}
