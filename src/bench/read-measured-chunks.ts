import type { MeasuredChunk } from '../shared/measuring/time-chunks.ts';
import { readServerSentEvents } from '../chat/api/read-server-sent-events.ts';

/**
 * Yields the chunks of a streamed response of the endpoint.
 * @throws Error if the response is an error.
 */
export async function* readMeasuredChunks(response: Response): AsyncGenerator<MeasuredChunk> {
  if (!response.ok || !response.body) {
    throw new Error(`The endpoint answered ${response.status}: ${await response.text()}`);
  }
  for await (const { events } of readServerSentEvents(response.body)) {
    for (const { data } of events) if (data !== '[DONE]') yield JSON.parse(data) as MeasuredChunk;
  }
}
