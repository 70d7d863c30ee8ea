import { PolicyViolations } from '../../../shared/security/policy-violations.ts';
import { sleep } from '../../../shared/timeout.ts';

/** The browser's functions that downloads use. Tests replace them. */
export interface DownloadEnvironment {
  /**
   * Like the global `fetch`. If the Content-Security-Policy blocks the request, it rejects with a `SecurityError` whose
   * message is the directive.
   */
  readonly fetch: typeof fetch;
  readonly caches: CacheStorage;
  /** Bytes that this site uses, and its storage quota in bytes. */
  estimate(): Promise<{ readonly usage: number; readonly quota: number }>;
  /** Bytes that `caches` can keep in memory beyond the quota. Default: none. */
  readonly overflowBytes?: number;
  /**
   * Runs `work` while it holds a lock that all workers of the site share. If the lock is already held, returns null
   * without running it.
   */
  exclusively<Result>(name: string, work: () => Promise<Result>): Promise<Result | null>;
  /** Monotonic time in milliseconds. */
  now(): number;
  /**
   * Resolves after `milliseconds`, or earlier if the network returns. Rejects with the signal's reason if it aborts.
   */
  wait(milliseconds: number, signal: AbortSignal): Promise<void>;
}

const violations = 'addEventListener' in globalThis ? new PolicyViolations(globalThis) : null;

/**
 * Milliseconds that may pass between the failure of a blocked request and the event that reports the violation of the
 * Content-Security-Policy.
 */
const VIOLATION_DELAY = 100;

export const BROWSER_ENVIRONMENT: DownloadEnvironment = {
  fetch: (input, init) =>
    fetch(input, init).catch(async (thrown: unknown) => {
      if (violations === null || init?.signal?.aborted) throw thrown;
      await sleep(VIOLATION_DELAY);
      const directive = violations.directiveFor(input instanceof Request ? input.url : String(input), true);
      throw directive === undefined ? thrown : new DOMException(directive, 'SecurityError');
    }),
  get caches() {
    return caches;
  },
  async estimate() {
    const { usage, quota } = await navigator.storage.estimate();
    return { usage: usage ?? 0, quota: quota ?? Number.POSITIVE_INFINITY };
  },
  exclusively: (name, work) =>
    navigator.locks.request(name, { ifAvailable: true }, (lock) => (lock === null ? null : work())),
  now: () => performance.now(),
  async wait(milliseconds, signal) {
    const online = new AbortController();
    const end = () => online.abort();
    // The network has returned, so the wait ends.
    addEventListener('online', end);
    await sleep(milliseconds, AbortSignal.any([signal, online.signal])).catch(() => {});
    removeEventListener('online', end);
    signal.throwIfAborted();
  },
};
