import type { GenerationEvent } from '../../shared/engine/completion-event.ts';
import { withAbort } from '../../shared/timeout.ts';
import { Watchdog } from './watchdog.ts';

/** Timeouts in milliseconds: how long the engine may produce no event. */
export interface GenerationTimeouts {
  /** Longest time between a token and the next event. */
  readonly token: number;
  /**
   * From one `prefill` event to the next, or to the first token. The engine sends a `prefill` event after each part of
   * a long prompt.
   */
  readonly prefill: number;
  /**
   * Longest time until the engine stops after an abort during decode. Prefill can stop only at the end of a chunk, so
   * an abort during prefill keeps the prefill timeout.
   */
  readonly stop: number;
}

export const DEFAULT_GENERATION_TIMEOUTS: GenerationTimeouts = { token: 60_000, prefill: 300_000, stop: 15_000 };

/**
 * Forwards the events of an engine.
 * @param signal The signal that was also passed to the engine.
 * @throws ApiError `engine_timeout` if the engine produces no event for too long; any error of the engine.
 */
export async function* withGenerationTimeouts(
  events: AsyncIterable<GenerationEvent>,
  signal: AbortSignal,
  timeouts: GenerationTimeouts,
): AsyncGenerator<GenerationEvent, undefined> {
  const iterator = events[Symbol.asyncIterator]();
  const watchdog = new Watchdog();
  let reading = true;
  const onAbort = () => {
    if (!reading) watchdog.expect(timeouts.stop);
  };
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    watchdog.expect(timeouts.prefill);
    for (;;) {
      const result = await withAbort(iterator.next(), watchdog.expired);
      if (result.done) return undefined;
      // True after `prefill` and `finish`, because each choice may have its own prefill.
      reading = result.value.type !== 'delta';
      yield result.value;
      if (!signal.aborted) watchdog.expect(reading ? timeouts.prefill : timeouts.token);
    }
  } finally {
    signal.removeEventListener('abort', onAbort);
    watchdog.stop();
    // Not awaited: if the engine is stuck, the promise never settles.
    iterator.return?.().catch(() => {});
  }
}
