/**
 * Prefix of the lock that an engine worker holds while it lives. The worker's name follows, so that pages find the live
 * engine among the held locks.
 */
export const ENGINE_LOCK_PREFIX = 'tabserve-engine ';

/**
 * Returns a new name for an engine that every page of the same build may join.
 * @param build Identifies the build.
 */
export function newEngineName(build: string): string {
  return `${build}#${crypto.randomUUID()}`;
}

/** Returns the build of the engine that holds a lock; undefined for other locks, and for the engine of a single tab. */
export function engineBuild(lockName: string): string | undefined {
  const end = lockName.lastIndexOf('#');
  return lockName.startsWith(ENGINE_LOCK_PREFIX) && end !== -1
    ? lockName.slice(ENGINE_LOCK_PREFIX.length, end)
    : undefined;
}

/**
 * In the name of an engine in a dedicated worker: it serves the ports that any page sends it, for other contexts. Engines of
 * builds until November 2026 do not.
 */
export const SERVES_PORTS = '+';

/**
 * Prefix of the lock that marks an unresponsive engine, whose name follows. Each page that found it unresponsive holds
 * the lock in shared mode until the engine ends. No page joins a marked engine.
 */
export const ENGINE_ABANDONED_PREFIX = 'tabserve-engine-abandoned ';

/** Held by a page while it finds or starts the engine, so that two pages do not start two engines. */
export const ENGINE_START_LOCK = 'tabserve-engine-start';

/** Held by the leader: the tab whose DedicatedWorker is the engine, in browsers whose SharedWorker has no WebGPU. */
export const ENGINE_HOST_LOCK = 'tabserve-engine-host';

/** Prefix of the lock that a task of the engine in a page holds while it runs. The task's id follows. */
export const TASK_LOCK_PREFIX = 'tabserve-task ';

/** Prefix of the lock that the engine holds while it needs a task of a page. The task's id follows. */
export const TASK_WANTED_PREFIX = 'tabserve-task-wanted ';

/**
 * Prefix of the lock that a page holds while it reaches the engine of a hub, whose own lock only the hub's contexts see.
 * The engine's lock follows, then `#` and a name of the page.
 */
export const HUB_ENGINE_PREFIX = 'tabserve-hub-engine ';

/**
 * Held in shared mode by a service worker for each response in progress. A newer service worker waits for its release.
 */
export const ANSWER_LOCK = 'tabserve-answer';

let current: LockManager | null = null;

/**
 * Returns the lock manager in which this context sees the locks of the site's new contexts. After the site's data were
 * cleared, Chromium gives new contexts another one than `navigator.locks` here.
 */
export function siteLocks(): LockManager {
  return current ?? navigator.locks;
}

/** Replaces the result of {@link siteLocks}. Locks that are held or requested stay with the former lock manager. */
export function useLocks(locks: LockManager): void {
  current = locks;
}

/**
 * Whether a lock request failed because another context stole the lock. Only valid if the request's signal has not
 * aborted, because browsers throw the same error for that. The lock manager of a frame throws a `DOMException` of that
 * frame, which is not an instance of this window's.
 */
export function isStolen(thrown: unknown): boolean {
  return (thrown as Partial<Error> | null)?.name === 'AbortError';
}
