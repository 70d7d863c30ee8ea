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

/** Held by a page while it finds or starts the engine, so that two pages never start two. */
export const ENGINE_START_LOCK = 'tabserve-engine-start';

/** Held by the tab whose DedicatedWorker is the engine, where a SharedWorker has no graphics device. */
export const ENGINE_HOST_LOCK = 'tabserve-engine-host';

/** Held, shared, by a service worker while it gives an answer; its successor waits for all to be freed. */
export const ANSWER_LOCK = 'tabserve-answer';

/**
 * Holds a lock for as long as this context lives.
 * @param signal Lets go of it earlier.
 * @returns when the lock is held, which is when its name may be told to others.
 */
export function holdForLife(name: string, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const life = new Promise<void>((end) => signal?.addEventListener('abort', () => end(), { once: true }));
    const request = navigator.locks.request(name, () => {
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
  navigator.locks
    .request(name, { mode: 'shared', signal }, () => {
      if (!signal.aborted) callback();
    })
    .catch((thrown: unknown) => {
      if (!signal.aborted) throw thrown;
    });
}
