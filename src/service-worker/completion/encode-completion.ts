import { ApiError } from '../../shared/api-error.ts';
import type { CompletionEvent } from '../../shared/engine/completion-event.ts';
import type { CompletionEncoder } from '../encoders/completion-encoder.ts';
import type { EventReader } from './event-reader.ts';

/**
 * Yields the encoded texts of one completion, and a keep-alive text after each `keepAliveInterval` without one. Events
 * that encode to an empty text do not postpone the keep-alive.
 *
 * @param first The first events, already read; null yields a keep-alive text first.
 * @param keepAliveInterval Milliseconds.
 * @throws ApiError if the completion fails; any error of the encoder.
 */
export async function* encodeCompletion(
  reader: EventReader,
  encoder: CompletionEncoder,
  first: readonly CompletionEvent[] | null,
  keepAliveInterval: number,
): AsyncGenerator<string, undefined> {
  let sent = performance.now();
  let events = first;
  if (events === null) yield encoder.keepAlive();
  for (;;) {
    events ??= await reader.next(Math.max(0, sent + keepAliveInterval - performance.now()));
    const { text, thrown, ended } = encodeEvents(encoder, events ?? []);
    events = null;
    const silent = performance.now() >= sent + keepAliveInterval;
    if (text !== '' || silent) {
      sent = performance.now();
      yield text || encoder.keepAlive();
    }
    if (thrown !== undefined) throw thrown;
    if (ended) return undefined;
  }
}

/**
 * Encodes events until one fails. `thrown` is the error of the completion or of the encoder. `text`, which precedes the
 * error, is still sent.
 */
function encodeEvents(
  encoder: CompletionEncoder,
  events: readonly CompletionEvent[],
): { text: string; thrown?: unknown; ended: boolean } {
  let text = '';
  let ended = false;
  try {
    for (const event of events) {
      if (event.type === 'error') throw ApiError.fromData(event.error);
      text += encoder.encode(event);
      ended = event.type === 'done';
    }
  } catch (thrown) {
    return { text, thrown, ended };
  }
  return { text, ended };
}
