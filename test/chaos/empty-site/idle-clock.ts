import { cpus } from 'node:os';
import { sleep } from '../../../src/shared/timeout.ts';

/** Milliseconds between two measurements of the CPU load. */
const INTERVAL = 250;

/** Minimum share of the elapsed time that counts on a busy machine, so that waiting ends. */
const SLOWEST = 0.2;

/**
 * Waits for `promise`, at most for the given time. Only time in which a CPU core was idle counts in full, so that a
 * busy machine is not mistaken for a stuck tab.
 * @param time Milliseconds.
 */
export async function withinIdleTime<Value>(time: number, promise: Promise<Value>): Promise<Value | 'late'> {
  const settled = new AbortController();
  const leave = () => settled.abort();
  promise.then(leave, leave);
  const late = async () => {
    let counted = 0;
    let before = processorTimes();
    while (!settled.signal.aborted && counted < time) {
      await sleep(INTERVAL);
      const now = processorTimes();
      const idleCores = (now.idle - before.idle) / Math.max(1, (now.total - before.total) / cpus().length);
      counted += INTERVAL * Math.min(1, Math.max(SLOWEST, idleCores));
      before = now;
    }
    return 'late' as const;
  };
  return Promise.race([promise, late()]);
}

/** CPU time in milliseconds since the machine started, summed over its cores. */
function processorTimes(): { readonly idle: number; readonly total: number } {
  let idle = 0;
  let total = 0;
  for (const { times } of cpus()) {
    idle += times.idle;
    total += times.user + times.nice + times.sys + times.irq + times.idle;
  }
  return { idle, total };
}
