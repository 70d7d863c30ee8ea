import type { Tabserve } from '../page/index.ts';
import { withAbort } from '../shared/timeout.ts';

/**
 * Waits until the endpoint is ready. A call that its caller has stopped ends at once: the start may take long, as while
 * another version takes over.
 * @throws the signal's reason if it aborts; the failure of the start.
 */
export function whenReady({ ready }: Pick<Tabserve, 'ready'>, signal: AbortSignal | null | undefined): Promise<void> {
  return signal ? withAbort(ready, signal) : ready;
}
