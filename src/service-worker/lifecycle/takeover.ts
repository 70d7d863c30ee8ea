import { engineUnavailable } from '../../shared/engine/engine-errors.ts';
import { ANSWER_LOCK } from '../../shared/locks/site-locks.ts';
import { sleep, withTimeout } from '../../shared/timeout.ts';

declare const self: { readonly serviceWorker: { readonly state: ServiceWorkerState } };

/** Milliseconds for which a newer build waits for a moment without an answer before it holds back new ones. */
const PATIENCE = 120_000;

/** Milliseconds between two looks. */
const PAUSE = 200;

/**
 * Milliseconds for which answers are held back once nothing stands in the way of the activation. It takes a second; a
 * browser that has not done it by then may not do it for minutes: Chromium asks its predecessor to stop as soon as it is
 * idle, forgets that when a request starts it again, and from then on waits for half a minute without any request.
 */
const ACTIVATION_TIME = 2000;

/** Milliseconds between two such moments. */
const ACTIVATION_PAUSE = 30_000;

/** Milliseconds after the wish at which Chromium activates whatever its predecessor does, and cuts off its answers. */
const FORCED_ACTIVATION = 300_000;

/** Milliseconds before that from which on no answer is begun that would be cut off. */
const LAST_CALL = 20_000;

/** The first wish that this worker take over, while it is being fulfilled. */
let takingOver: Promise<void> | null = null;

/**
 * Activates this waiting worker at a moment when its predecessor gives no answer, which it would cut off. Where answers
 * overlap without a gap such a moment is made: after {@link PATIENCE} the predecessor takes no new ones. So that takes
 * as long as the answers that have begun by then, unless the browser has reasons of its own to wait: then its predecessor
 * goes on answering.
 * @param waited Milliseconds for which somebody has wished so; this worker may have been stopped meanwhile.
 */
export function takeOver(skipWaiting: () => Promise<void>, waited: number): Promise<void> {
  return (takingOver ??= waitAndTakeOver(skipWaiting, PATIENCE - waited).finally(() => {
    takingOver = null;
  }));
}

async function waitAndTakeOver(skipWaiting: () => Promise<void>, patience: number): Promise<void> {
  const deadline = performance.now() + patience;
  let activated: Promise<true> | null = null;
  let forced = Number.POSITIVE_INFINITY;
  // The lock is held until this worker is active: whoever asks meanwhile is sent to it.
  const activate = async (lock: Lock | null) => {
    if (lock === null) return false;
    if (activated === null) forced = performance.now() + FORCED_ACTIVATION;
    activated ??= skipWaiting().then(() => true);
    const isLastCall = performance.now() >= forced - LAST_CALL;
    return withTimeout(isLastCall ? 2 * LAST_CALL : ACTIVATION_TIME, activated, false);
  };
  while (performance.now() < deadline) {
    if (await navigator.locks.request(ANSWER_LOCK, { ifAvailable: true }, activate)) return;
    await sleep(activated ? ACTIVATION_PAUSE : PAUSE);
  }
  while (!(await navigator.locks.request(ANSWER_LOCK, activate))) await sleep(ACTIVATION_PAUSE);
}

/**
 * Waits until an answer may begin, for so many milliseconds at most.
 * @throws ApiError `engine_unavailable` when a newer build takes over.
 */
export type AdmitAnswer = (time: number) => Promise<void>;

/**
 * Looks whether an answer may begin: it may, unless a newer build has waited long enough for a moment without one. Then
 * it is held back until the running answers have ended, and the client is to ask again, which gets it to that build; where
 * the browser has not activated that after all, the answer begins. The look takes a while, so it is begun with the request.
 */
export function beginAdmission(): AdmitAnswer {
  const first = navigator.locks.query();
  return (time) => admit(first, performance.now() + time);
}

async function admit(look: Promise<LockManagerSnapshot>, deadline: number): Promise<void> {
  for (let heldBack = false; ; heldBack = true) {
    const { held = [], pending = [] } = await look;
    // To go on waiting would be work of this worker, until whose end the newer one is not activated.
    if (held.some(isNewer)) throw newerBuild();
    if (!pending.some(isNewer)) {
      if (heldBack && self.serviceWorker.state !== 'activated') throw newerBuild();
      return;
    }
    if (performance.now() > deadline) throw newerBuild();
    await sleep(PAUSE);
    look = navigator.locks.query();
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
        else finished.addEventListener('abort', () => release());
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
