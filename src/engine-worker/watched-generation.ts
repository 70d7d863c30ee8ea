import type { GenerationEvent } from '../shared/completion-event.ts';
import type { CompletionRequest } from '../shared/completion-request.ts';
import type { Engine } from '../shared/engine.ts';
import { Watchdog } from './watchdog.ts';

/** Milliseconds that an engine may be silent. */
export interface Patience {
  /** After a token. */
  readonly token: number;
  /** While it reads a prompt, which takes slow devices long. */
  readonly prefill: number;
  /** After it was told to stop. */
  readonly stop: number;
}

/**
 * An engine's events, for as long as they keep coming.
 * @throws ApiError `engine_timeout` when they do not; whatever the engine throws.
 */
export async function* watchedGeneration(
  engine: Engine,
  request: CompletionRequest,
  signal: AbortSignal,
  patience: Patience,
): AsyncGenerator<GenerationEvent, undefined> {
  const iterator = engine.generate(request, signal)[Symbol.asyncIterator]();
  const watchdog = new Watchdog();
  const onAbort = () => watchdog.expect(patience.stop);
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    watchdog.expect(signal.aborted ? patience.stop : patience.prefill);
    for (;;) {
      const result = await Promise.race([iterator.next(), watchdog.expired]);
      if (result.done) return undefined;
      yield result.value;
      // Each choice begins with a prefill of its own.
      if (!signal.aborted) watchdog.expect(result.value.type === 'delta' ? patience.token : patience.prefill);
    }
  } finally {
    signal.removeEventListener('abort', onAbort);
    watchdog.stop();
    // Not awaited: an engine that is stuck would not answer. What it fails with then, nobody asked for.
    iterator.return?.().catch(() => {});
  }
}
