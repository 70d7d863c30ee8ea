import { sleep } from '../../shared/timeout.ts';
import { trace } from '../../shared/trace/trace.ts';

/** The pause before the last attempts is at most this many times the first one. */
const LONGEST_PAUSE = 30;

/** Repeats what fails, such as while the database does not open, after growing pauses until it succeeds. */
export async function untilStored(run: () => Promise<void>, delay = 2000): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await run();
    } catch (thrown) {
      trace('documents', 'storage has failed', String(thrown));
      await sleep(delay * Math.min(attempt, LONGEST_PAUSE));
    }
  }
}
