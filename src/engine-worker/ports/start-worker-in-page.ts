import { isLockHeld } from '../../shared/locks/liveness-lock.ts';
import { say } from '../strings/say.ts';
import { runInPage, type PageTask, type PostToPage } from './run-in-page.ts';

/** The first message that the worker sent. */
interface WorkerStarted {
  readonly type: 'started';
  /** Whether the worker may use threads. */
  readonly isolated: boolean;
  /** Number of logical processors. */
  readonly cores: number;
  /** Name of the graphics device that llama.cpp can use in the worker; null if there is none. */
  readonly gpu: string | null;
}

/** A worker that was started by a page for this engine. */
export interface PageWorker
  extends Omit<PageTask<WorkerStarted>, 'started' | 'lockName'>, Omit<WorkerStarted, 'type'> {}

/**
 * Starts a worker in the first page that can run one.
 * @param pages The pages in the order in which they are tried.
 * @param script Address of the script.
 * @param onOutdatedLocks Called when the started worker's lock is invisible here: the site's data were cleared, and new
 * workers have another lock manager than this engine. No worker can run for it any more, as each seems to have ended.
 * @throws ApiError `engine_unavailable` with the cause.
 */
export async function startWorkerInPage(
  pages: readonly PostToPage[],
  script: string,
  onOutdatedLocks: () => void,
): Promise<PageWorker> {
  const { started, lockName, ...worker } = await runInPage<WorkerStarted>(
    pages,
    { type: 'start-worker', script },
    {
      noPage: say('llamaCppWithoutPage'),
      silent: (seconds) => say('llamaCppSilent', script, seconds),
      failed: (message) => say('llamaCppNotStarted', script, message),
      lost: say('llamaCppLost'),
    },
  );
  if (!(await isLockHeld(lockName))) onOutdatedLocks();
  return { ...worker, isolated: started.isolated, cores: started.cores, gpu: started.gpu };
}
