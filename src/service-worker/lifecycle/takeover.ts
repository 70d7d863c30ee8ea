import { ANSWER_LOCK } from '../../shared/locks/site-locks.ts';
import { sleep, withTimeout } from '../../shared/timeout.ts';

/** Milliseconds for which a newer build waits until no response is running. After that it blocks new responses. */
const IDLE_TIMEOUT = 120_000;

/** Milliseconds between two checks whether a response is running. */
const POLL_INTERVAL = 200;

/**
 * Milliseconds for which new responses stay blocked after `skipWaiting()`. Activation usually takes one second but may
 * take minutes: Chromium tells the old worker to stop when it is idle. If a request restarts the old worker, Chromium
 * forgets that and waits for half a minute without requests.
 */
const ACTIVATION_TIMEOUT = 2000;

/** Milliseconds between two attempts to activate. */
const ACTIVATION_RETRY_INTERVAL = 30_000;

/**
 * Milliseconds after `skipWaiting()` after which Chromium activates the new worker in any case and cuts off running
 * responses.
 */
const FORCED_ACTIVATION_TIME = 300_000;

/** Milliseconds before the forced activation in which no response starts, because it would be cut off. */
const LAST_CALL = 20_000;

let takingOver: Promise<void> | null = null;

/**
 * Activates this waiting worker at a moment when the old worker sends no response: activation would cut it off. If
 * responses overlap for {@link IDLE_TIMEOUT}, the old worker starts no new ones until the running ones have ended. If
 * the browser does not activate this worker then, the old worker responds again until the next attempt.
 * @param waited Milliseconds since the first request for a takeover; the browser may have stopped this worker in
 * between.
 */
export function takeOver(skipWaiting: () => Promise<void>, waited: number): Promise<void> {
  return (takingOver ??= waitAndTakeOver(skipWaiting, IDLE_TIMEOUT - waited).finally(() => {
    takingOver = null;
  }));
}

async function waitAndTakeOver(skipWaiting: () => Promise<void>, idleTimeout: number): Promise<void> {
  const deadline = performance.now() + idleTimeout;
  let activated: Promise<true> | null = null;
  let forced = Number.POSITIVE_INFINITY;
  // Holds the lock until this worker is active or the attempt times out. Meanwhile the old worker's clients get a 503;
  // after activation their retries reach this worker.
  const activate = async (lock: Lock | null) => {
    if (lock === null) return false;
    if (activated === null) forced = performance.now() + FORCED_ACTIVATION_TIME;
    activated ??= skipWaiting().then(() => true);
    const isLastCall = performance.now() >= forced - LAST_CALL;
    return withTimeout(isLastCall ? 2 * LAST_CALL : ACTIVATION_TIMEOUT, activated, false);
  };
  while (performance.now() < deadline) {
    if (await navigator.locks.request(ANSWER_LOCK, { ifAvailable: true }, activate)) return;
    await sleep(activated ? ACTIVATION_RETRY_INTERVAL : POLL_INTERVAL);
  }
  while (!(await navigator.locks.request(ANSWER_LOCK, activate))) await sleep(ACTIVATION_RETRY_INTERVAL);
}
