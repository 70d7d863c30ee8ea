import { sleep } from '../../../src/shared/timeout.ts';
import { ProcessorClock } from '../recovery/processor-clock.ts';

/** Milliseconds between two looks at the clock. */
const INTERVAL = 250;

/**
 * Waits for `promise`, at most for the given time. Only time in which a CPU core was idle counts in full, so that a
 * busy machine is not mistaken for a stuck tab.
 * @param time Milliseconds.
 */
export async function withinIdleTime<Value>(time: number, promise: Promise<Value>): Promise<Value | 'late'> {
  const clock = new ProcessorClock();
  const settled = new AbortController();
  const leave = () => settled.abort();
  promise.then(leave, leave);
  const late = async () => {
    while (!settled.signal.aborted && clock.now < time) await sleep(INTERVAL);
    clock.stop();
    return 'late' as const;
  };
  return Promise.race([promise, late()]);
}
