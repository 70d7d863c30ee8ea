import { EventStreamParser, fieldValues } from '../../shared/http/event-stream-parser.ts';

/** Events that came together. */
export interface ServerSentEvents {
  /** The `data` of each, in order. */
  readonly data: readonly string[];
  /** The last `id`; null where none came. */
  readonly lastId: string | null;
}

/**
 * The Server-Sent Events of a response body, as they arrive. Comments and other fields are passed over. Leaving the loop
 * cancels the body, and with it the generation.
 */
export async function* readServerSentEvents(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
): AsyncGenerator<ServerSentEvents, void, undefined> {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  const parser = new EventStreamParser();
  try {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      const blocks = parser.push(value);
      const data = blocks.map((block) => fieldValues(block, 'data').join('\n')).filter((text) => text !== '');
      const lastId = blocks.flatMap((block) => fieldValues(block, 'id')).at(-1) ?? null;
      if (data.length > 0 || lastId !== null) yield { data, lastId };
    }
  } finally {
    // A body that has failed rejects this too; that failure has already been thrown from read().
    await reader.cancel().catch(() => {});
  }
}
