import { engineUnavailable } from '../../shared/engine/engine-errors.ts';
import { ANSWER_LOCK } from '../../shared/locks/site-locks.ts';
import { sleep } from '../../shared/timeout.ts';

declare const self: { readonly serviceWorker: { readonly state: ServiceWorkerState } };

/** Milliseconds between two checks whether a newer build takes over. */
const POLL_INTERVAL = 200;

/**
 * Waits until a completion may start, for at most `time` milliseconds.
 * @throws ApiError `engine_unavailable` if a newer build takes over.
 */
export type AdmitCompletion = (time: number) => Promise<void>;

/**
 * Begins to check whether a completion may start, and returns a function that waits for the outcome. While a newer
 * build takes over, the completion waits until the running ones have ended. Then it fails with a 503, and the client's
 * retry reaches the newer build. If the browser has not activated the newer build by then, the completion starts here.
 * Call this when the request arrives, because the lock query takes time.
 */
export function beginAdmission(): AdmitCompletion {
  const first = navigator.locks.query();
  return (time) => admit(first, performance.now() + time);
}

async function admit(query: Promise<LockManagerSnapshot>, deadline: number): Promise<void> {
  for (let wasBlocked = false; ; wasBlocked = true) {
    const { held = [], pending = [] } = await query;
    // Waiting longer would keep this worker busy, and the browser activates the newer one only when this worker is
    // idle.
    if (held.some(isNewer)) throw newerBuild();
    if (!pending.some(isNewer)) {
      if (wasBlocked && self.serviceWorker.state !== 'activated') throw newerBuild();
      return;
    }
    if (performance.now() > deadline) throw newerBuild();
    await sleep(POLL_INTERVAL);
    query = navigator.locks.query();
  }
}

/**
 * Holds the lock that prevents a takeover during a response.
 * @param finished Releases the lock.
 * @throws ApiError `engine_unavailable` if a newer build holds it: the response must not start.
 */
export function holdAnswerLock(finished: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const hold = (lock: Lock | null) => {
      if (lock === null) return reject(newerBuild());
      resolve();
      return new Promise<void>((release) => {
        if (finished.aborted) release();
        else finished.addEventListener('abort', () => release());
      });
    };
    navigator.locks.request(ANSWER_LOCK, { mode: 'shared', ifAvailable: true }, hold).catch(reject);
  });
}

/** Whether a lock, held or requested, belongs to a newer build that takes over. */
function isNewer({ name, mode }: LockInfo): boolean {
  return name === ANSWER_LOCK && mode === 'exclusive';
}

const newerBuild = () => engineUnavailable('A newer version of this site is taking over. Try again.');
