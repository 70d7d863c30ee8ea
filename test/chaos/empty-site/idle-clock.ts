import { cpus } from 'node:os';
import { sleep } from '../../../src/shared/timeout.ts';

/** Milliseconds between two looks at the processors. */
const INTERVAL = 250;

/** However busy the machine is, one second counts at least this much: waiting has an end. */
const SLOWEST = 0.2;

/**
 * Waits for `promise`, at most for the given time. Only time in which a core had nothing to do counts in full, so
 * that a machine busy with other things is not mistaken for a wedge.
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

/** Milliseconds since the machine started, summed over its cores. */
function processorTimes(): { readonly idle: number; readonly total: number } {
  let idle = 0;
  let total = 0;
  for (const { times } of cpus()) {
    idle += times.idle;
    total += times.user + times.nice + times.sys + times.irq + times.idle;
  }
  return { idle, total };
}
