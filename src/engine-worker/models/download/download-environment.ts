import { PolicyViolations } from '../../../shared/security/policy-violations.ts';
import { estimateStorage, type StorageEstimate } from '../../../shared/storage/estimate-storage.ts';
import { sleep } from '../../../shared/timeout.ts';

/** The browser's functions that downloads use. Tests replace them. */
export interface DownloadEnvironment {
  /**
   * Like the global `fetch`. If the Content-Security-Policy blocks the request, it rejects with a
   * {@link PolicyBlockError}.
   */
  readonly fetch: typeof fetch;
  readonly caches: CacheStorage;
  estimate(): Promise<StorageEstimate>;
  /** Bytes that `caches` can keep in memory beyond the quota. Default: none. */
  readonly overflowBytes?: number;
  /** Called while the content of a GGUF file is checked, with the share of it, 0…1. Default: nothing is called. */
  readonly onChecked?: (share: number) => void;
  /**
   * Runs `work` while it holds a lock that all workers of the site share. If the lock is already held, returns null
   * without running it.
   */
  exclusively<Result>(name: string, work: () => Promise<Result>): Promise<Result | null>;
  /** Monotonic time in milliseconds. */
  now(): number;
  /**
   * Whether the device has a network. If set, a download waits for the network as long as it takes, and long for a server
   * that has answered before. Default: it gives up after half a minute, because somebody waits for its end.
   */
  readonly isOnline?: () => boolean;
  /**
   * Resolves after `milliseconds`, or earlier if the network returns. Rejects with the signal's reason if it aborts.
   */
  wait(milliseconds: number, signal: AbortSignal): Promise<void>;
}

/** The Content-Security-Policy has blocked a request. */
export class PolicyBlockError extends Error {
  override readonly name = 'PolicyBlockError' as const;
  readonly directive: string;
  /** Whether the address is allowed, but redirects to one that is not. */
  readonly isRedirected: boolean;

  constructor(directive: string, isRedirected: boolean) {
    super(directive);
    this.directive = directive;
    this.isRedirected = isRedirected;
  }
}

/** The site takes models from its own origin only, so that no request was sent. The message is the refused host. */
export class StrictSiteError extends Error {
  override readonly name = 'StrictSiteError' as const;
}

const violations = 'addEventListener' in globalThis ? new PolicyViolations(globalThis) : null;

/**
 * Milliseconds that may pass between the failure of a blocked request and the event that reports the violation of the
 * Content-Security-Policy.
 */
const VIOLATION_DELAY = 100;

/**
 * Whether the policy allows an address itself, but the server redirects it. Browsers report the first address of a
 * blocked request only, and hide from scripts where a redirect leads.
 */
async function redirects(address: RequestInfo | URL, signal: AbortSignal | null = null): Promise<boolean> {
  try {
    const { type, body } = await fetch(address, { redirect: 'manual', cache: 'no-store', signal });
    await body?.cancel();
    return type === 'opaqueredirect';
  } catch {
    return false;
  }
}

export const BROWSER_ENVIRONMENT: DownloadEnvironment = {
  fetch: (input, init) =>
    fetch(input, init).catch(async (thrown: unknown) => {
      if (violations === null || init?.signal?.aborted) throw thrown;
      await sleep(VIOLATION_DELAY);
      const directive = violations.directiveFor(input instanceof Request ? input.url : String(input), true);
      if (directive === undefined) throw thrown;
      throw new PolicyBlockError(directive, await redirects(input, init?.signal));
    }),
  get caches() {
    return caches;
  },
  estimate: estimateStorage,
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
