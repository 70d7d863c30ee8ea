import { EventStreamParser, fieldValues } from '../../shared/http/event-stream-parser.ts';

/** Events that arrived in one chunk. */
export interface ServerSentEvents {
  readonly data: readonly string[];
  /** The last `id` among the events; null if none has one. */
  readonly lastId: string | null;
  /** The last comment among them; null if there is none. */
  readonly comment: string | null;
}

/**
 * Reads `data`, `id` and comments of the Server-Sent Events in a response body. If the caller leaves the loop, the body
 * is cancelled, which ends the generation.
 */
export async function* readServerSentEvents(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
): AsyncGenerator<ServerSentEvents, void, undefined> {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  const parser = new EventStreamParser();
  try {
    for (;;) {
      const { value, done } = await reader.read();
      // A server may end its stream without the blank line after the last event.
      const blocks = done ? [parser.rest] : parser.push(value);
      const data = blocks.map((block) => fieldValues(block, 'data').join('\n')).filter((text) => text !== '');
      const lastId = blocks.flatMap((block) => fieldValues(block, 'id')).at(-1) ?? null;
      const comment = blocks.flatMap((block) => fieldValues(block, '')).at(-1) ?? null;
      if (data.length > 0 || lastId !== null || comment !== null) yield { data, lastId, comment };
      if (done) return;
    }
  } finally {
    // Rejects if the body has failed, which read() above has already reported.
    await reader.cancel().catch(() => {});
  }
}
