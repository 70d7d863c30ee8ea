import { ApiError } from '../../shared/api-error.ts';
import type { CompletionEvent } from '../../shared/engine/completion-event.ts';
import { streamStoredAnswer } from '../completion/stream-stored-answer.ts';
import type { Exchange } from '../http/exchange.ts';
import { jsonResponse } from '../http/http-responses.ts';
import { listPage, readPageQuery } from '../http/pagination.ts';
import { invalid } from '../request/checks.ts';
import { createResponseStreamEncoder } from './response-encoders.ts';
import type { ResponseWriter } from './response-writer.ts';
import { detailOf, RESPONSE_KIND, readSoFar, storedInput, writeNext, createWriter } from './stored-response.ts';

const NOT_IN_BACKGROUND =
  'Only responses that were made with `background: true` can be cancelled. Any other response ends when its client aborts the request.';

/**
 * `GET /responses/{id}`: the response object, or with `stream=true` its events after number `starting_after`.
 * @throws ApiError `answer_not_found` if it is not stored; `invalid_value` if it has no event `starting_after`;
 * `answer_lost` if the engine died before it had stored this event.
 */
export async function retrieveResponse(exchange: Exchange, id: string): Promise<Response> {
  const { answers, request, observer } = exchange;
  const query = new URL(request.url).searchParams;
  const startingAfter = readStartingAfter(query.get('starting_after'));
  const answer = await answers.find(RESPONSE_KIND, id);
  observer?.modelNamed(answer.model);
  if (query.get('stream') === 'true') {
    const events = await requireEvent(answers.events(answer), startingAfter, createWriter(answer));
    return streamStoredAnswer(exchange, events, createResponseStreamEncoder(createWriter(answer), { startingAfter }));
  }
  return jsonResponse((await readSoFar(answers, answer)).writer.response);
}

/** `DELETE /responses/{id}`. Ends a response in progress. */
export async function deleteResponse({ answers }: Exchange, id: string): Promise<Response> {
  await answers.delete(await answers.find(RESPONSE_KIND, id));
  return jsonResponse({ id, object: 'response', deleted: true });
}

/** `POST /responses/{id}/cancel`: returns the response when it has ended. */
export async function cancelResponse({ answers }: Exchange, id: string): Promise<Response> {
  const answer = await answers.find(RESPONSE_KIND, id);
  if (!detailOf(answer).background) throw new ApiError('invalid_value', NOT_IN_BACKGROUND, { param: 'response_id' });
  const writer = createWriter(answer);
  // Subscribes before it cancels: the database gets the last events only later, so a later subscriber could miss them.
  const reader = answers.events(answer).getReader();
  while (await writeNext(reader, writer)) await answers.cancel(answer);
  return jsonResponse(writer.response);
}

/** `GET /responses/{id}/input_items`: newest first by default. */
export async function listInputItems({ answers, request }: Exchange, id: string): Promise<Response> {
  const query = readPageQuery(request, 'desc');
  const items = storedInput(await answers.find(RESPONSE_KIND, id));
  return jsonResponse(await listPage(query, items.toReversed(), (item) => item));
}

function readStartingAfter(given: string | null): number {
  if (given === null) return -1;
  if (/^\d{1,9}$/.test(given)) return Number(given);
  throw invalid('invalid_value', 'starting_after', 'the number of an event', given);
}

/**
 * Checks that a response has an event of this number. Without the check the client would get an empty stream, which
 * looks like the end of the response.
 * @param writer A writer that only this check uses.
 * @returns a stream of all events, from the first.
 */
async function requireEvent(
  events: ReadableStream<readonly CompletionEvent[]>,
  number: number,
  writer: ResponseWriter,
): Promise<ReadableStream<readonly CompletionEvent[]>> {
  // Both readers share one subscription. If one subscription were cancelled and another opened, late events of the
  // first would mix with those of the second.
  const [first, all] = events.tee();
  const reader = first.getReader();
  await writeNext(reader, writer);
  // Not awaited: cancelling one branch of a tee settles only when the other branch is cancelled too.
  void reader.cancel();
  // Counts the events that precede the output as sent, too, because a keep-alive may have sent them to the client.
  writer.begin();
  if (number < writer.eventCount) return all;
  void all.cancel();
  if (writer.failure?.code === 'answer_lost') throw writer.failure;
  const last = writer.eventCount - 1;
  const sentence = `\`starting_after\` is ${number}, but the last event of this response so far has the number ${last}.`;
  throw new ApiError('invalid_value', sentence, { param: 'starting_after' });
}
