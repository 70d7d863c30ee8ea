import { PolicyViolations } from '../../../shared/security/policy-violations.ts';
import { sleep } from '../../../shared/timeout.ts';

/** What a download needs of the world, so that tests can script it. */
export interface DownloadEnvironment {
  /** What the site's policy blocks may fail with a DOMException `SecurityError` whose message is the directive. */
  readonly fetch: typeof fetch;
  readonly caches: CacheStorage;
  /** What the browser says about room: bytes used by this site, and the most it may use. */
  estimate(): Promise<{ readonly usage: number; readonly quota: number }>;
  /**
   * Does the work, and at the same time keeps every other worker of this site from doing work of that
   * name. Null, without doing it, where another is at it already.
   */
  exclusively<Result>(name: string, work: () => Promise<Result>): Promise<Result | null>;
  /** Milliseconds of a clock that does not jump. */
  now(): number;
  /** Resolves after so many milliseconds, or earlier when waiting longer is pointless. Rejects when aborted. */
  wait(milliseconds: number, signal: AbortSignal): Promise<void>;
}

const violations = 'addEventListener' in globalThis ? new PolicyViolations(globalThis) : null;

/** Milliseconds by which the browser may tell of a violation later than of the failure that it has caused. */
const VIOLATION_DELAY = 100;

/** The world of a worker in a browser. */
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
    // The network is back: no reason to sit out the rest of the pause.
    addEventListener('online', end);
    await sleep(milliseconds, AbortSignal.any([signal, online.signal])).catch(() => {});
    removeEventListener('online', end);
    signal.throwIfAborted();
  },
};
