import type { GenerationEvent } from '../../shared/engine/completion-event.ts';
import { withAbort } from '../../shared/timeout.ts';
import { Watchdog } from './watchdog.ts';

/** Milliseconds that an engine may be silent. */
export interface GenerationTimeouts {
  /** After a token. */
  readonly token: number;
  /** While it reads a prompt, which takes slow devices long. */
  readonly prefill: number;
  /** After it was told to stop between two tokens. While a prompt is read it stops after a chunk of it, and has its time. */
  readonly stop: number;
}

/**
 * An engine's events, for as long as they keep coming.
 * @param signal The one that the engine was given.
 * @throws ApiError `engine_timeout` when they do not; whatever the engine throws.
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
      // Each choice begins with a prefill of its own.
      reading = result.value.type !== 'delta';
      yield result.value;
      if (!signal.aborted) watchdog.expect(reading ? timeouts.prefill : timeouts.token);
    }
  } finally {
    signal.removeEventListener('abort', onAbort);
    watchdog.stop();
    // Not awaited: an engine that is stuck would not answer. What it fails with then, nobody asked for.
    iterator.return?.().catch(() => {});
  }
}
