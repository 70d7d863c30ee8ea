import { ApiError } from '../../shared/api-error.ts';
import { DEFAULT_BASE_PATH, isBelow } from '../../shared/http/base-path.ts';
import { requireInterception } from './require-interception.ts';

/** Milliseconds without further checks after a check that found nothing wrong. */
const CHECK_INTERVAL = 60_000;

/**
 * Detects when requests of this page bypass the service worker that controls it, which no event reports. Suspicious resource
 * timings (a request below the endpoint's path without `workerStart`) trigger a check by {@link requireInterception}.
 */
export class BypassWatch {
  readonly #onBypass: (error: ApiError) => void;
  readonly #signal: AbortSignal;
  #basePath = DEFAULT_BASE_PATH;
  /** Requests that began before this `performance.now()` are ignored. */
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

  /** Starts watching: from now on the service worker must intercept requests below this path. */
  begin(basePath: string): void {
    this.#basePath = basePath;
    this.#from = performance.now();
  }

  #isSuspicious({ name, startTime, workerStart }: PerformanceResourceTiming): boolean {
    const { origin, pathname } = new URL(name);
    if (workerStart > 0 || startTime < this.#from || navigator.serviceWorker.controller === null) return false;
    return origin === location.origin && isBelow(pathname, this.#basePath);
  }

  async #check(): Promise<void> {
    // The check's own request must not trigger another check.
    this.#from = Infinity;
    try {
      await requireInterception(this.#basePath, this.#signal);
      this.#from = performance.now() + CHECK_INTERVAL;
    } catch (thrown) {
      if (!this.#signal.aborted) this.#onBypass(ApiError.from(thrown));
    }
  }
}
