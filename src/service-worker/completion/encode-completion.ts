import { ApiError } from '../../shared/api-error.ts';
import type { CompletionEvent } from '../../shared/engine/completion-event.ts';
import type { CompletionEncoder } from '../encoders/completion-encoder.ts';
import type { EventReader } from './event-reader.ts';

/**
 * What is sent of one completion, text by text, with a sign of life whenever nothing was sent for a while. That is
 * counted from the last text: events that say nothing new do not put it off.
 *
 * @param first The events to begin with; null sends a sign of life first.
 * @param keepAliveInterval Milliseconds.
 * @throws ApiError when the completion fails; what the encoder throws.
 */
export async function* completionTexts(
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

/** The text of events that came together. `thrown` is what ends it: a failure of the completion, or a defect. */
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
