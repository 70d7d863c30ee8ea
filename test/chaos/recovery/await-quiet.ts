import { sleep } from '../../../src/shared/timeout.ts';
import type { ProcessorClock } from './processor-clock.ts';

/** Milliseconds, by the clock, for work to end that nobody waits for any more. */
const PATIENCE = 40_000;

/** Cores that a browser with a few idle pages uses at most. */
const IDLE_CORES = 0.2;

/** Milliseconds for which the browser must be idle. */
const QUIET_TIME = 1000;

/**
 * Waits until the browser computes nothing, as it must soon after the last request has ended or was left: an answer that
 * nobody reads would still be written.
 * @returns the cores that it still uses after {@link PATIENCE}; null if it has become idle.
 */
export async function awaitQuiet(clock: Pick<ProcessorClock, 'now' | 'cores'>): Promise<number | null> {
  const begun = clock.now;
  let quietSince: number | null = null;
  while (clock.now - begun < PATIENCE) {
    await sleep(QUIET_TIME / 4);
    if (clock.cores > IDLE_CORES) quietSince = null;
    else quietSince ??= performance.now();
    if (quietSince !== null && performance.now() - quietSince >= QUIET_TIME) return null;
  }
  return clock.cores;
}
