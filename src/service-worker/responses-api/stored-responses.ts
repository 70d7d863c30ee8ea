import { ApiError } from '../../shared/api-error.ts';
import { describeValue } from '../../shared/describe-value.ts';
import { streamStoredAnswer } from '../completion/stored-answer-stream.ts';
import type { Exchange } from '../http/exchange.ts';
import { jsonResponse } from '../http/http-responses.ts';
import { listPage, readPageQuery } from '../http/list-page.ts';
import { createResponseStreamEncoder } from './response-encoders.ts';
import { detailOf, RESPONSE_KIND, storedInput, writeNext, createWriter } from './stored-response.ts';

const NOT_IN_BACKGROUND =
  'Only responses that were made with `background: true` can be cancelled. Another one ends when its client aborts the request.';

/** `GET /responses/{id}`: the response object, or with `stream=true` its events after number `starting_after`. */
export async function retrieveResponse(exchange: Exchange, id: string): Promise<Response> {
  const { answers, request, observer } = exchange;
  const query = new URL(request.url).searchParams;
  const startingAfter = readStartingAfter(query.get('starting_after'));
  const answer = await answers.find(RESPONSE_KIND, id);
  observer?.modelNamed(answer.model);
  const writer = createWriter(answer);
  if (query.get('stream') === 'true') {
    return streamStoredAnswer(exchange, answers.events(answer), createResponseStreamEncoder(writer, { startingAfter }));
  }
  const reader = answers.events(answer).getReader();
  await writeNext(reader, writer);
  await reader.cancel();
  return jsonResponse(writer.response);
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
  // Subscribe before cancelling: the events reach the database only later.
  const reader = answers.events(answer).getReader();
  let running = await writeNext(reader, writer);
  if (running) await answers.cancel(answer);
  while (running) running = await writeNext(reader, writer);
  return jsonResponse(writer.response);
}

/** `GET /responses/{id}/input_items`: newest first by default. */
export async function listInputItems({ answers, request }: Exchange, id: string): Promise<Response> {
  const query = readPageQuery(request, 'desc');
  const items = storedInput(await answers.find(RESPONSE_KIND, id));
  return jsonResponse(await listPage(query, items.toReversed(), async (item) => item));
}

function readStartingAfter(given: string | null): number {
  if (given === null) return -1;
  if (/^\d{1,9}$/.test(given)) return Number(given);
  const sentence = `\`starting_after\` must be the number of an event, but it is ${describeValue(given)}.`;
  throw new ApiError('invalid_value', sentence, { param: 'starting_after' });
}
