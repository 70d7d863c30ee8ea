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
 * Whether a request for a lock ended because another context took the lock away (`steal`), where it has no signal that
 * has aborted: the browser gives both the same error.
 */
export function isStolen(thrown: unknown): boolean {
  return thrown instanceof DOMException && thrown.name === 'AbortError';
}
