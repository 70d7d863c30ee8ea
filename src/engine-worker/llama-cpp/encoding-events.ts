import type { PrefillEvent } from '../../shared/engine/completion-event.ts';
import { withTimeout } from '../../shared/timeout.ts';

/**
 * Milliseconds between two `prefill` events while llama.cpp encodes an image and reports nothing. Without them the
 * request would time out (`GenerationTimeouts.prefill`).
 */
const ENCODING_INTERVAL = 60_000;

/**
 * How many such events one image may have. A large encoder on a slow CPU takes minutes for an image. After 20 minutes
 * llama.cpp probably hangs, and the request may time out.
 */
const MAX_ENCODING_EVENTS = 20;

/** Returns the value of `next`, and yields a `prefill` event each minute until then. */
export async function* withEncodingEvents<Value>(next: Promise<Value>): AsyncGenerator<PrefillEvent, Value> {
  for (let count = 0; count < MAX_ENCODING_EVENTS; count++) {
    const value = await withTimeout(ENCODING_INTERVAL, next, null);
    if (value !== null) return value;
    yield { type: 'prefill' };
  }
  return next;
}
