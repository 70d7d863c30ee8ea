import type { ApiError } from '../shared/api-error.ts';
import { DEFAULT_BASE_PATH } from '../shared/http/base-path.ts';
import { logError } from './console/log-error.ts';
import type { PageStatus } from './status/page-status.ts';
import type { Tabserve } from './tabserve.ts';

/** {@link Tabserve} where nothing can be brought up, now or later: all it can do is say why. */
export class UnavailableTabserve extends EventTarget implements Tabserve {
  readonly status: PageStatus;
  readonly basePath = DEFAULT_BASE_PATH;
  readonly updateAvailable = false;
  readonly ready: Promise<never>;
  readonly dispose: () => void;
  /** Only for the requests that have nothing to do with the endpoint. */
  readonly fetch: typeof globalThis.fetch = (input, init) => fetch(input, init);

  /** @param dispose Makes room for another `register()`. */
  constructor(status: PageStatus, error: ApiError, dispose: () => void) {
    super();
    this.status = status;
    this.ready = Promise.reject(error);
    this.dispose = dispose;
    // Not every page looks at `ready`.
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

  applyUpdate(): Promise<never> {
    return this.ready;
  }
}
