import { PolicyViolations } from '../../../shared/security/policy-violations.ts';
import { sleep } from '../../../shared/timeout.ts';

/** External dependencies, which tests replace. */
export interface DownloadEnvironment {
  /** Rejects with a `SecurityError` whose message is the directive if CSP blocks the request. */
  readonly fetch: typeof fetch;
  readonly caches: CacheStorage;
  /** Bytes that this site uses, and its quota. */
  estimate(): Promise<{ readonly usage: number; readonly quota: number }>;
  /** Runs `work` under a lock of all the site's workers. Null, without running it, if the lock is held. */
  exclusively<Result>(name: string, work: () => Promise<Result>): Promise<Result | null>;
  /** Monotonic time in milliseconds. */
  now(): number;
  /** Resolves after `milliseconds`, or earlier when the network returns. Rejects when aborted. */
  wait(milliseconds: number, signal: AbortSignal): Promise<void>;
}

const violations = 'addEventListener' in globalThis ? new PolicyViolations(globalThis) : null;

/** Maximum milliseconds from a blocked request's failure to its violation event. */
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
    // Retry at once when the network returns.
    addEventListener('online', end);
    await sleep(milliseconds, AbortSignal.any([signal, online.signal])).catch(() => {});
    removeEventListener('online', end);
    signal.throwIfAborted();
  },
};
