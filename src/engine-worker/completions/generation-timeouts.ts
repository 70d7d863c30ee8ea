import type { GenerationEvent } from '../../shared/engine/completion-event.ts';
import { withAbort } from '../../shared/timeout.ts';
import { Watchdog } from './watchdog.ts';

/** Longest times without an event of the engine, in milliseconds. */
export interface GenerationTimeouts {
  /** Longest time between a token and the next event. */
  readonly token: number;
  /** From one `prefill` event to the next, or to the first token. A long prompt has one after each of its parts. */
  readonly prefill: number;
  /**
   * Longest time until the engine stops after an abort during decode. Prefill can stop only at the end of a chunk, so
   * an abort during prefill keeps the prefill timeout.
   */
  readonly stop: number;
}

/**
 * Passes on the events of an engine.
 * @param signal The same signal that the engine got.
 * @throws ApiError `engine_timeout` if the engine is silent for too long; any error of the engine.
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
      // True after `prefill` and `finish`: each choice may have a prefill of its own.
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
