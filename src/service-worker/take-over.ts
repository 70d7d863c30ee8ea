import { engineUnavailable } from '../shared/engine-errors.ts';
import { ANSWER_LOCK } from '../shared/locks.ts';
import { sleep } from '../shared/timing.ts';

/** Milliseconds for which a newer build waits for a moment without an answer before it holds back new ones. */
const PATIENCE = 120_000;

/** Milliseconds between two looks. */
const PAUSE = 200;

/** The first wish that this worker take over, while it is being fulfilled. */
let takingOver: Promise<void> | null = null;

/**
 * Activates this waiting worker at a moment when its predecessor gives no answer, which it would cut off. Where answers
 * overlap without a gap such a moment is made: after {@link PATIENCE} the predecessor takes no new ones. So that takes
 * as long as the answers that have begun by then.
 * @param waited Milliseconds for which somebody has wished so; this worker may have been stopped meanwhile.
 */
export function takeOver(skipWaiting: () => Promise<void>, waited: number): Promise<void> {
  return (takingOver ??= waitAndTakeOver(skipWaiting, PATIENCE - waited).finally(() => {
    takingOver = null;
  }));
}

async function waitAndTakeOver(skipWaiting: () => Promise<void>, patience: number): Promise<void> {
  const deadline = performance.now() + patience;
  // The lock is held until this worker is active: whoever asks meanwhile is sent to it.
  const activate = async (lock: Lock | null) => {
    if (lock !== null) await skipWaiting();
    return lock !== null;
  };
  while (performance.now() < deadline) {
    if (await navigator.locks.request(ANSWER_LOCK, { ifAvailable: true }, activate)) return;
    await sleep(PAUSE);
  }
  await navigator.locks.request(ANSWER_LOCK, activate);
}

/**
 * Resolves when an answer may begin: at once, unless a newer build has waited long enough for a moment without one. Then
 * it is held back until the running answers have ended, and the client is to ask again, which gets it to that build.
 * @param time Milliseconds for which it is held back at most.
 * @throws ApiError `engine_unavailable` when the newer build takes over.
 */
export async function admitAnswer(time: number): Promise<void> {
  const deadline = performance.now() + time;
  for (let heldBack = false; ; heldBack = true) {
    const { held = [], pending = [] } = await navigator.locks.query();
    const isDue = pending.some(isNewer);
    if (!isDue && !heldBack && !held.some(isNewer)) return;
    // This worker has been replaced by now, or is being so.
    if (!isDue || performance.now() > deadline) throw newerBuild();
    await sleep(PAUSE);
  }
}

/**
 * Holds the lock that keeps a newer build from taking over.
 * @param finished Lets go of it.
 * @throws ApiError `engine_unavailable` when that build was quicker: the answer must not begin.
 */
export function holdAnswerLock(finished: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const hold = (lock: Lock | null) => {
      if (lock === null) return reject(newerBuild());
      resolve();
      return new Promise<void>((release) => {
        if (finished.aborted) release();
        else finished.addEventListener('abort', () => release(), { once: true });
      });
    };
    navigator.locks.request(ANSWER_LOCK, { mode: 'shared', ifAvailable: true }, hold).catch(reject);
  });
}

/** Whether a lock, or a request for one, is that of a newer build. */
function isNewer({ name, mode }: LockInfo): boolean {
  return name === ANSWER_LOCK && mode === 'exclusive';
}

const newerBuild = () => engineUnavailable('A newer version of this site takes over just now. Ask again.');
