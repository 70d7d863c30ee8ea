import { siteLocks } from './site-locks.ts';
import { sleep } from '../timeout.ts';

/** Milliseconds between two looks whether a lock is held: at first, and where nobody takes it. */
const LOOK_PAUSE = { first: 100, longest: 5000 };

/**
 * Web Locks are the signs of life between contexts: a lock is freed by the browser the moment its holder
 * dies, while ports say nothing. Names carry a random part, so that no two holders ever meet.
 */
export function livenessLockName(kind: 'service-worker' | 'page'): string {
  return `tabserve-${kind}-${crypto.randomUUID()}`;
}

/**
 * Holds a lock for as long as this context lives.
 * @param signal Lets go of it earlier.
 * @returns when the lock is held, which is when its name may be told to others.
 */
export function holdLivenessLock(name: string, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const life = new Promise<void>((end) => signal?.addEventListener('abort', () => end(), { once: true }));
    const request = siteLocks().request(name, () => {
      resolve();
      return life;
    });
    request.catch(reject);
  });
}

/**
 * Calls back when the holder of a lock is gone.
 * @param signal Ends the watch; the callback is not called after it.
 */
export function whenReleased(name: string, callback: () => void, signal: AbortSignal): void {
  siteLocks()
    .request(name, { mode: 'shared', signal }, () => {
      if (!signal.aborted) callback();
    })
    .catch((thrown: unknown) => {
      if (!signal.aborted) throw thrown;
    });
}

/** Whether a context that this one shares its locks with is alive and holds a lock. */
export async function isLockHeld(name: string): Promise<boolean> {
  const { held = [] } = await siteLocks().query();
  return held.some((lock) => lock.mode === 'exclusive' && lock.name === name);
}

/**
 * Calls back when a holder that may only just be starting is gone. To ask for the lock before it is held would be in the
 * way of its holder, so this looks now and then until it is.
 * @param signal Ends the watch; the callback is not called after it.
 */
export async function whenHeldAndReleased(name: string, callback: () => void, signal: AbortSignal): Promise<void> {
  for (let pause = LOOK_PAUSE.first; !signal.aborted && !(await isLockHeld(name));) {
    await sleep(pause, signal).catch(() => {});
    pause = Math.min(1.2 * pause, LOOK_PAUSE.longest);
  }
  if (!signal.aborted) whenReleased(name, callback, signal);
}
