import { ApiError } from '../../shared/api-error.ts';
import { DEFAULT_BASE_PATH, isBelow } from '../../shared/http/base-path.ts';
import { requireInterception } from './require-interception.ts';

/** Milliseconds for which nothing is looked at after a suspicion that came to nothing. */
const PAUSE = 60_000;

/**
 * Notices when requests of this page begin to go past the service worker that is in charge of it, which no event tells. The
 * browser's record of each request does, once it has been answered; it is taken for no more than a reason to look.
 */
export class BypassWatch {
  readonly #onBypass: (error: ApiError) => void;
  readonly #signal: AbortSignal;
  #basePath = DEFAULT_BASE_PATH;
  /** Requests that began before this time of the page's clock say nothing. */
  #from = Infinity;

  /**
   * @param onBypass Told what {@link requireInterception} throws.
   * @param signal Ends it.
   */
  constructor(onBypass: (error: ApiError) => void, signal: AbortSignal) {
    this.#onBypass = onBypass;
    this.#signal = signal;
    const observer = new PerformanceObserver((list) => {
      const entries = list.getEntries() as PerformanceResourceTiming[];
      if (entries.some((entry) => this.#isSuspect(entry))) void this.#look();
    });
    observer.observe({ type: 'resource' });
    signal.addEventListener('abort', () => observer.disconnect(), { once: true });
  }

  /** From now on requests are to reach the worker, which answers below this path. */
  begin(basePath: string): void {
    this.#basePath = basePath;
    this.#from = performance.now();
  }

  #isSuspect({ name, startTime, workerStart }: PerformanceResourceTiming): boolean {
    const { origin, pathname } = new URL(name);
    if (workerStart > 0 || startTime < this.#from || navigator.serviceWorker.controller === null) return false;
    return origin === location.origin && isBelow(pathname, this.#basePath);
  }

  async #look(): Promise<void> {
    // Its own request is recorded as well.
    this.#from = Infinity;
    try {
      await requireInterception(this.#basePath, this.#signal);
      this.#from = performance.now() + PAUSE;
    } catch (thrown) {
      if (!this.#signal.aborted) this.#onBypass(ApiError.from(thrown));
    }
  }
}
