import { livenessLockName } from '../../shared/locks/liveness-lock.ts';
import { siteLocks, useLocks } from '../../shared/locks/site-locks.ts';
import { sleep, withTimeout } from '../../shared/timeout.ts';

/** Milliseconds between the first polls. Later ones are rarer. */
const POLL_INTERVAL = 100;

/** Milliseconds for the lock managers to reply. If they do not, this page keeps its own. */
const REPLY_TIMEOUT = 10_000;

/**
 * Moves this page to the lock manager that newly loaded pages use. When a site's data are cleared (by the user or by
 * eviction), Chromium creates a new lock manager for the site. Open pages and workers keep the old one, in which the
 * locks of new contexts are invisible. So this page would consider every new engine dead. A new frame gets the new lock
 * manager.
 * @param patience Milliseconds to wait for a new lock manager. A browser that clears a site's data clears one kind after
 * the other, so the locks may follow some time after the service worker.
 * @returns whether the lock manager has changed. If so, only contexts that still use the old manager see the locks of
 * this page and its engine.
 */
export async function moveToNewLocks(patience: number, signal: AbortSignal): Promise<boolean> {
  const start = performance.now();
  while (!(await tryNewFrame())) {
    const waited = performance.now() - start;
    if (waited >= patience) return false;
    await sleep(Math.max(POLL_INTERVAL, waited / 10), signal);
  }
  return true;
}

async function tryNewFrame(): Promise<boolean> {
  const frame = document.createElement('iframe');
  frame.hidden = true;
  document.documentElement.append(frame);
  const locks = frame.contentWindow?.navigator.locks;
  const former = siteLocks();
  // Another call may have moved the page meanwhile.
  const isNew =
    locks !== undefined && !(await withTimeout(REPLY_TIMEOUT, areShared(locks), true)) && siteLocks() === former;
  // A frame's lock manager becomes unusable when the frame is removed, so the frame stays in the document.
  if (isNew) useLocks(locks);
  else frame.remove();
  return isNew;
}

/** Whether a lock that this page holds is visible in another lock manager. */
function areShared(locks: LockManager): Promise<boolean> {
  const probe = livenessLockName('page');
  return siteLocks().request(probe, async () => {
    const { held = [] } = await locks.query();
    return held.some(({ name }) => name === probe);
  });
}
