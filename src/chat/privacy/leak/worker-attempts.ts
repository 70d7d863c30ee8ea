import { ENDED, type Attempts } from './attempt.ts';
import type { LeakWorkerMessage, WorkerHosts } from './leak-worker.ts';
import type { AttemptOutcome } from './leak-verdict.ts';

/** What a worker of the attempts reports about its own scope, which the page does not see. */
export interface WorkerReports {
  readonly onViolation: (address: string, directive: string) => void;
  readonly onTimed: (addresses: readonly string[]) => void;
}

/**
 * Both ways out of a worker, which obeys the policy of its own script. One worker tries both.
 * @param signal Ends the worker.
 */
export function workerAttempts(
  hosts: WorkerHosts,
  reports: WorkerReports,
  signal: AbortSignal,
): Attempts<'worker-fetch' | 'worker-import'> {
  const outcome = new Promise<AttemptOutcome>((resolve) => {
    const worker = new Worker(new URL('./leak-worker.ts', import.meta.url), { type: 'module', name: 'try-to-leak' });
    const end = (outcome: AttemptOutcome) => {
      worker.terminate();
      resolve(outcome);
    };
    worker.addEventListener('message', ({ data }: MessageEvent<LeakWorkerMessage>) => {
      if (data.type === 'violation') return reports.onViolation(data.address, data.directive);
      reports.onTimed(data.timed);
      resolve(ENDED);
    });
    // The worker's script could not be loaded, so it tried nothing.
    worker.addEventListener('error', () => end({ kind: 'absent', detail: 'Worker' }));
    signal.addEventListener('abort', () => end(ENDED), { once: true });
    worker.postMessage(hosts);
  });
  return { 'worker-fetch': () => outcome, 'worker-import': () => outcome };
}
