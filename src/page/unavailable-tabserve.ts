import type { ApiError } from '../shared/api-error.ts';
import { DEFAULT_BASE_PATH } from '../shared/http/base-path.ts';
import { logError } from './console/log-error.ts';
import type { PageStatus } from './status/page-status.ts';
import type { Tabserve } from './tabserve.ts';

/**
 * {@link Tabserve} for a page on which no endpoint can be started. `ready` and all methods that return a promise reject
 * with the reason, except `retry()`, which does nothing.
 */
export class UnavailableTabserve extends EventTarget implements Tabserve {
  readonly status: PageStatus;
  readonly basePath = DEFAULT_BASE_PATH;
  readonly updateAvailable = false;
  readonly ready: Promise<never>;
  readonly dispose: () => void;
  /** The global `fetch`, for requests that do not go to the endpoint. */
  readonly fetch: typeof globalThis.fetch = (input, init) => fetch(input, init);

  /** @param dispose Lets `register()` be called again. */
  constructor(status: PageStatus, error: ApiError, dispose: () => void) {
    super();
    this.status = status;
    this.ready = Promise.reject(error);
    this.dispose = dispose;
    // A page that does not use `ready` must not get an unhandled rejection.
    this.ready.catch(() => {});
    logError(error.message);
  }

  async retry(): Promise<void> {}

  load(): Promise<never> {
    return this.ready;
  }

  call(): Promise<never> {
    return this.ready;
  }

  async askForHub(): Promise<false> {
    return false;
  }

  applyUpdate(): Promise<never> {
    return this.ready;
  }
}
