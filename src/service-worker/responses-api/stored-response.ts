import { ApiError } from '../../shared/api-error.ts';
import type { CompletionEvent } from '../../shared/engine/completion-event.ts';
import type { StoredAnswer } from '../../shared/storage/stored-answer.ts';
import { hasEnded } from '../engine/has-ended.ts';
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
 * Reads the events of an answer that exist so far.
 * @returns what they make, and whether there are more.
 * @throws ApiError if they cannot be read, such as `engine_unavailable`: the answer may be running.
 */
export async function readSoFar(
  answers: StoredAnswers,
  answer: StoredAnswer,
): Promise<{ readonly writer: ResponseWriter; readonly running: boolean }> {
  const writer = createWriter(answer);
  const reader = answers.events(answer).getReader();
  const running = await writeNext(reader, writer);
  await reader.cancel();
  return { writer, running };
}

/**
 * Returns the output of an answer that has ended; null if its completion is running or its engine died. The engine
 * knows of an end before the database does, so that a client can continue an answer as soon as it has it.
 * @throws ApiError as {@link readSoFar}.
 */
export async function storedOutput(
  answers: StoredAnswers,
  answer: StoredAnswer,
): Promise<readonly OutputItem[] | null> {
  const { writer, running } = await readSoFar(answers, answer);
  return running || writer.failure?.code === 'answer_lost' ? null : writer.output;
}

/** The input of a response. Items without an id get one. */
export function storedInput(answer: StoredAnswer): readonly (ConversationItem & { readonly id: string })[] {
  return detailOf(answer).input.map((item, index) => ({
    ...item,
    id: item.id ?? itemId(item.type, answer.id, `input_${index}`),
  }));
}

/**
 * Reads the next events of an answer into the writer. Returns whether there are more.
 * @throws ApiError if no event of the answer can be read, such as `engine_unavailable`: the answer may be running.
 */
export async function writeNext(
  reader: ReadableStreamDefaultReader<readonly CompletionEvent[]>,
  writer: ResponseWriter,
): Promise<boolean> {
  const { done, value = [] } = await reader.read();
  const [first] = value;
  // The events of an answer begin with another one. If it was cancelled or lost, the response says so.
  if (!writer.stored && first?.type === 'error' && !first.error.code.startsWith('answer_'))
    throw ApiError.fromData(first.error);
  for (const event of value) writer.write(event);
  return !done && !hasEnded(value);
}
