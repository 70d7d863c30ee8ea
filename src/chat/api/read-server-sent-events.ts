import { BodyEventParser } from '../../shared/http/body-event-parser.ts';
import { fieldValues } from '../../shared/http/event-stream-parser.ts';

/** The name and the data of one event. */
export interface ServerSentEvent {
  /** Empty if the event has no name. */
  readonly name: string;
  readonly data: string;
}

/** Events that arrived in one chunk. */
export interface ServerSentEvents {
  readonly events: readonly ServerSentEvent[];
  /** The last `id` among the events; null if none has one. */
  readonly lastId: string | null;
  /** The last comment among them; null if there is none. */
  readonly comment: string | null;
}

/**
 * Reads the Server-Sent Events in a response body. A body of JSON or of other text gives one event for each document.
 * If the caller leaves the loop, the body is cancelled, which ends the generation.
 */
export async function* readServerSentEvents(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
): AsyncGenerator<ServerSentEvents, void, undefined> {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  const parser = new BodyEventParser();
  try {
    for (;;) {
      const { value, done } = await reader.read();
      // A server may end its stream without the blank line after the last event.
      const blocks = done ? parser.end() : parser.push(value);
      const events = blocks.map(eventOf).filter(({ data }) => data !== '');
      const lastId = blocks.flatMap((block) => fieldValues(block, 'id')).at(-1) ?? null;
      const comment = blocks.flatMap((block) => fieldValues(block, '')).at(-1) ?? null;
      if (events.length > 0 || lastId !== null || comment !== null) yield { events, lastId, comment };
      if (done) return;
    }
  } finally {
    // Rejects if the body has failed, which read() above has already reported.
    await reader.cancel().catch(() => {});
  }
}

function eventOf(block: string): ServerSentEvent {
  return { name: fieldValues(block, 'event').at(-1) ?? '', data: fieldValues(block, 'data').join('\n') };
}
