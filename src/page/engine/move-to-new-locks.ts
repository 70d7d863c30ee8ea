import { livenessLockName } from '../../shared/locks/liveness-lock.ts';
import { siteLocks, useLocks } from '../../shared/locks/site-locks.ts';
import { sleep } from '../../shared/timeout.ts';

/** Milliseconds that a browser may take to clear a site's data, one kind after the other. */
const CLEARING_TIME = 1000;

/** Milliseconds between two looks at whether it has. */
const LOOK_PAUSE = 100;

/**
 * Moves this page to the Web Locks that pages loaded now would have. Chromium keeps them with the site's data: when those
 * are cleared (by a person, or to make room on the disk) pages and workers that are open keep the old locks, which nobody
 * new ever sees, and a page that knows engines by their locks would take every new one for dead. A fresh frame has the
 * new ones.
 * @param isCleared Whether the data are just being cleared: then their turn may still come.
 * @returns whether the locks are others now: what this page holds, and the engine it knows, are seen by old pages only.
 */
export async function moveToNewLocks(isCleared: boolean, signal: AbortSignal): Promise<boolean> {
  const deadline = performance.now() + (isCleared ? CLEARING_TIME : 0);
  while (!(await tryNewFrame())) {
    if (performance.now() >= deadline) return false;
    await sleep(LOOK_PAUSE, signal);
  }
  return true;
}

async function tryNewFrame(): Promise<boolean> {
  const frame = document.createElement('iframe');
  frame.hidden = true;
  document.documentElement.append(frame);
  const locks = frame.contentWindow?.navigator.locks;
  const isNew = locks !== undefined && !(await areShared(locks));
  // The locks of a frame end with it.
  if (isNew) useLocks(locks);
  else frame.remove();
  return isNew;
}

/** Whether what this page holds is seen in the locks of another context. */
function areShared(locks: LockManager): Promise<boolean> {
  const witness = livenessLockName('page');
  return siteLocks().request(witness, async () => {
    const { held = [] } = await locks.query();
    return held.some(({ name }) => name === witness);
  });
}
