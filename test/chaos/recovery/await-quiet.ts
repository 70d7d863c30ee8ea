import { sleep } from '../../../src/shared/timeout.ts';
import type { ProcessorClock } from './processor-clock.ts';

/** Milliseconds, by the clock, for work to end that nobody waits for any more. */
const PATIENCE = 40_000;

/** Cores that a browser with a few idle pages uses at most. */
const IDLE_CORES = 0.2;

/** Milliseconds for which the browser must be idle. */
const QUIET_TIME = 1500;

/**
 * Waits until the browser computes nothing and its pages send nothing, as it must be soon after the last request has
 * ended or was left. Otherwise an answer is written that nobody reads, or a page asks in vain again and again.
 * @param countRequests Returns how many requests the pages have sent until now.
 * @returns what the browser still does after {@link PATIENCE}; null if it has become idle.
 */
export async function awaitQuiet(
  clock: Pick<ProcessorClock, 'now' | 'cores'>,
  countRequests: () => Promise<number>,
): Promise<string | null> {
  const begun = clock.now;
  let quietSince: number | null = null;
  let sent = await countRequests();
  let later = 0;
  while (clock.now - begun < PATIENCE) {
    await sleep(QUIET_TIME / 5);
    const now = await countRequests();
    if (clock.cores > IDLE_CORES || now !== sent) quietSince = null;
    else quietSince ??= performance.now();
    later += Math.max(0, now - sent);
    sent = now;
    if (quietSince !== null && performance.now() - quietSince >= QUIET_TIME) return null;
  }
  return `Long after the last question, the browser uses ${clock.cores.toFixed(1)} cores, and its pages have sent ${later} requests.`;
}
