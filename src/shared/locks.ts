import { sleep } from './timing.ts';

/**
 * Web Locks are the signs of life between contexts: a lock is freed by the browser the moment its holder
 * dies, while ports say nothing. Names carry a random part, so that no two holders ever meet.
 */
export function lifeLockName(kind: 'service-worker' | 'page'): string {
  return `tabserve-${kind}-${crypto.randomUUID()}`;
}

/**
 * The lock that an engine worker holds as long as it lives. It carries the worker's name, so that a page
 * finds the living engine among the held locks.
 */
export const ENGINE_LOCK_PREFIX = 'tabserve-engine ';

/**
 * The name of an engine that any page of one build may join.
 * @param build What the pages of that build have in common.
 */
export function newEngineName(build: string): string {
  return `${build}#${crypto.randomUUID()}`;
}

/** The build that the holder of an engine's lock belongs to; undefined for any other lock, or the engine of one tab. */
export function engineBuild(lockName: string): string | undefined {
  const end = lockName.lastIndexOf('#');
  return lockName.startsWith(ENGINE_LOCK_PREFIX) && end !== -1
    ? lockName.slice(ENGINE_LOCK_PREFIX.length, end)
    : undefined;
}

/**
 * Held, shared, by every page that waited in vain for an answer of the engine whose name follows, until that engine ends:
 * nobody joins it any more.
 */
export const ENGINE_ABANDONED_PREFIX = 'tabserve-engine-abandoned ';

/** Held by a page while it finds or starts the engine, so that two pages never start two. */
export const ENGINE_START_LOCK = 'tabserve-engine-start';

/** Held by the tab whose DedicatedWorker is the engine, where a SharedWorker has no graphics device. */
export const ENGINE_HOST_LOCK = 'tabserve-engine-host';

/** Held, shared, by a service worker while it gives an answer; its successor waits for all to be freed. */
export const ANSWER_LOCK = 'tabserve-answer';

/** Milliseconds between two looks whether a lock is held: at first, and where nobody takes it. */
const LOOK_PAUSE = { first: 100, longest: 5000 };

let current: LockManager | null = null;

/** The Web Locks that this context shares with the others of its site. */
export function siteLocks(): LockManager {
  return current ?? navigator.locks;
}

/** Makes {@link siteLocks} others than the context's own. Locks that are held or waited for stay where they are. */
export function useLocks(locks: LockManager): void {
  current = locks;
}

/**
 * Holds a lock for as long as this context lives.
 * @param signal Lets go of it earlier.
 * @returns when the lock is held, which is when its name may be told to others.
 */
export function holdForLife(name: string, signal?: AbortSignal): Promise<void> {
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
export function onceFreed(name: string, callback: () => void, signal: AbortSignal): void {
  siteLocks()
    .request(name, { mode: 'shared', signal }, () => {
      if (!signal.aborted) callback();
    })
    .catch((thrown: unknown) => {
      if (!signal.aborted) throw thrown;
    });
}

/** Whether a context that this one shares its locks with is alive and holds a lock. */
export async function isHeld(name: string): Promise<boolean> {
  const { held = [] } = await siteLocks().query();
  return held.some((lock) => lock.mode === 'exclusive' && lock.name === name);
}

/**
 * Calls back when a holder that may only just be starting is gone. To ask for the lock before it is held would be in the
 * way of its holder, so this looks now and then until it is.
 * @param signal Ends the watch; the callback is not called after it.
 */
export async function onceHeldAndFreed(name: string, callback: () => void, signal: AbortSignal): Promise<void> {
  for (let pause = LOOK_PAUSE.first; !signal.aborted && !(await isHeld(name));) {
    await sleep(pause, signal).catch(() => {});
    pause = Math.min(1.2 * pause, LOOK_PAUSE.longest);
  }
  if (!signal.aborted) onceFreed(name, callback, signal);
}

/**
 * Whether a request for a lock ended because another context took the lock away (`steal`), where it has no signal that
 * has aborted: the browser gives both the same error.
 */
export function isStolen(thrown: unknown): boolean {
  return thrown instanceof DOMException && thrown.name === 'AbortError';
}
