import { CAN_USE_HUB } from '../hub/can-use-hub.ts';
import { HUB_ENGINE_PREFIX, siteLocks } from './site-locks.ts';
import { sleep } from '../timeout.ts';

/** Milliseconds between two polls for a lock that is not held yet. The interval grows from `first` to `longest`. */
const POLL_INTERVAL = { first: 100, longest: 5000 };

/**
 * Returns a new unique name for the Web Lock that a context holds while it lives. The browser releases the lock when
 * the context dies; a MessagePort would not report that.
 */
export function livenessLockName(kind: 'service-worker' | 'page'): string {
  return `tabserve-${kind}-${crypto.randomUUID()}`;
}

/**
 * Holds a lock until this context ends.
 * @param signal Releases the lock earlier when it aborts.
 * @returns a promise that resolves when the lock is held. Do not tell other contexts the name before: they would
 * consider this context dead.
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
 * Calls `callback` when the holder of a lock has released it or died.
 * @param signal Ends the watch; the callback is not called afterwards.
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

/** Whether a live context of this site holds a lock exclusively. */
export async function isLockHeld(name: string): Promise<boolean> {
  const { held = [] } = await siteLocks().query();
  return held.some((lock) => lock.mode === 'exclusive' && lock.name === name);
}

/**
 * Like {@link whenReleased}, for the lock of an engine, which may still be starting. Polls until the lock is held: an
 * earlier request for the lock would be granted first and block the engine. A lock that is never seen, as after the site's
 * data were cleared, is polled on, and says nothing about the engine. The engine of a hub is reachable as long as any
 * page of this site reaches it, so the locks of the other pages are watched in turn.
 * @param signal Ends the watch; the callback is not called afterwards.
 */
export async function whenEngineEnds(name: string, callback: () => void, signal: AbortSignal): Promise<void> {
  for (let interval = POLL_INTERVAL.first; !signal.aborted && !(await isLockHeld(name));) {
    await sleep(interval, signal).catch(() => {});
    interval = Math.min(1.2 * interval, POLL_INTERVAL.longest);
  }
  if (!signal.aborted)
    whenReleased(name, CAN_USE_HUB ? () => void whenNoPageReaches(name, callback, signal) : callback, signal);
}

/** Calls `callback` when no other page of this site reaches the engine of a hub either, after one has released its lock. */
async function whenNoPageReaches(name: string, callback: () => void, signal: AbortSignal): Promise<void> {
  const engine = name.slice(0, name.lastIndexOf('#') + 1);
  const { held = [] } = name.startsWith(HUB_ENGINE_PREFIX) ? await siteLocks().query() : {};
  const other = held.find((lock) => lock.mode === 'exclusive' && lock.name?.startsWith(engine))?.name;
  if (signal.aborted) return;
  if (other === undefined) callback();
  else whenReleased(other, () => void whenNoPageReaches(other, callback, signal), signal);
}
