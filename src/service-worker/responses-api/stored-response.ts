import type { CompletionEvent } from '../../shared/engine/completion-event.ts';
import type { StoredAnswer } from '../../shared/storage/stored-answer.ts';
import type { StoredAnswers } from '../engine/stored-answers.ts';
import type { ResponseDetail } from './response-detail.ts';
import { itemId, type ConversationItem, type OutputItem } from './response-items.ts';
import { ResponseWriter } from './response-writer.ts';

export const RESPONSE_KIND = 'response';

/** Returns the part of a stored answer that only responses have. `POST /responses` has stored it. */
export function detailOf({ detail }: StoredAnswer): ResponseDetail {
  return detail as ResponseDetail;
}

/** Creates a writer that builds a stored response from its events. */
export function createWriter(answer: StoredAnswer): ResponseWriter {
  return new ResponseWriter({ id: answer.id, created: answer.created, detail: detailOf(answer), awaitsId: true });
}

/**
 * Returns the output of an answer that has ended; null if its completion is running or its engine died.
 * @throws ApiError `storage_unavailable` if the database cannot be opened.
 */
export async function storedOutput(
  answers: StoredAnswers,
  answer: StoredAnswer,
): Promise<readonly OutputItem[] | null> {
  const log = await answers.log(answer);
  if (log === undefined) return null;
  const writer = createWriter(answer);
  for (const event of log) writer.write(event);
  return writer.output;
}

/** The input of a response. Items without an id get one. */
export function storedInput(answer: StoredAnswer): readonly (ConversationItem & { readonly id: string })[] {
  return detailOf(answer).input.map((item, index) => ({
    ...item,
    id: item.id ?? itemId(item.type, answer.id, `input_${index}`),
  }));
}

/** Reads the next events of an answer into the writer. Returns whether there are more. */
export async function writeNext(
  reader: ReadableStreamDefaultReader<readonly CompletionEvent[]>,
  writer: ResponseWriter,
): Promise<boolean> {
  const { done, value = [] } = await reader.read();
  for (const event of value) writer.write(event);
  const last = value.at(-1)?.type;
  return !done && last !== 'done' && last !== 'error';
}
