import { EventStreamParser, fieldValues } from '../../shared/http/event-stream-parser.ts';
import type { MeasuredChunk } from '../../shared/measuring/time-pieces.ts';

/** The chunks of a streamed response of the endpoint. @throws if the response is an error. */
export async function* readChunks(response: Response): AsyncGenerator<MeasuredChunk> {
  if (!response.ok || !response.body) {
    throw new Error(`The endpoint answered ${response.status}: ${await response.text()}`);
  }
  const parser = new EventStreamParser();
  for await (const text of response.body.pipeThrough(new TextDecoderStream())) {
    for (const data of parser.push(text).flatMap((block) => fieldValues(block, 'data'))) {
      if (data !== '[DONE]') yield JSON.parse(data) as MeasuredChunk;
    }
  }
}
