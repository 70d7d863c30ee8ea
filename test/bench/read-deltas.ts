import { EventStreamParser, fieldValues } from '../../src/shared/http/event-stream-parser.ts';

/** The text deltas of a streamed response, in a page. */
export async function* readDeltas(response: Response): AsyncGenerator<string> {
  if (!response.ok || !response.body)
    throw new Error(`The endpoint answered ${response.status}: ${await response.text()}`);
  const parser = new EventStreamParser();
  for await (const text of response.body.pipeThrough(new TextDecoderStream())) {
    for (const data of parser.push(text).flatMap((block) => fieldValues(block, 'data'))) {
      if (data === '[DONE]') continue;
      const chunk = JSON.parse(data) as {
        choices?: { delta: { content?: string } }[];
        error?: { message: string };
      };
      if (chunk.error) throw new Error(chunk.error.message);
      yield chunk.choices?.[0]?.delta.content ?? '';
    }
  }
}
