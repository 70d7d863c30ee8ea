import { ApiError } from '../../shared/api-error.ts';
import { DEFAULT_BASE_PATH, isBelow } from '../../shared/http/base-path.ts';
import { requireInterception } from './require-interception.ts';

/** Milliseconds without further checks after a check that found nothing wrong. */
const CHECK_INTERVAL = 60_000;

/**
 * Detects requests of this page that bypass the service worker that controls it. No event reports that. A suspicious
 * resource timing (a request below the endpoint's path without `workerStart`) triggers a check by
 * {@link requireInterception}.
 */
export class BypassWatch {
  readonly #onBypass: (error: ApiError) => void;
  readonly #signal: AbortSignal;
  #basePath = DEFAULT_BASE_PATH;
  /** Requests that began before this time, in milliseconds of `performance.now()`, are ignored. */
  #from = Infinity;

  /**
   * @param onBypass Called with the error of {@link requireInterception}.
   * @param signal Stops watching.
   */
  constructor(onBypass: (error: ApiError) => void, signal: AbortSignal) {
    this.#onBypass = onBypass;
    this.#signal = signal;
    const observer = new PerformanceObserver((list) => {
      const entries = list.getEntries() as PerformanceResourceTiming[];
      if (entries.some((entry) => this.#isSuspicious(entry))) void this.#check();
    });
    observer.observe({ type: 'resource' });
    signal.addEventListener('abort', () => observer.disconnect(), { once: true });
  }

  /** Starts watching requests below this path. Call it once the service worker intercepts them. */
  begin(basePath: string): void {
    this.#basePath = basePath;
    this.#from = performance.now();
  }

  #isSuspicious({ name, startTime, workerStart, responseStatus }: PerformanceResourceTiming): boolean {
    const { origin, pathname } = new URL(name);
    // An aborted request has neither a worker's start nor a status, whoever received it.
    if (workerStart > 0 || responseStatus === 0) return false;
    if (startTime < this.#from || navigator.serviceWorker.controller === null) return false;
    return origin === location.origin && isBelow(pathname, this.#basePath);
  }

  async #check(): Promise<void> {
    // Ignores requests during the check, so that the check's own request does not trigger another check.
    this.#from = Infinity;
    try {
      await requireInterception(this.#basePath, this.#signal);
      this.#from = performance.now() + CHECK_INTERVAL;
    } catch (thrown) {
      if (!this.#signal.aborted) this.#onBypass(ApiError.from(thrown));
    }
  }
}
