import { ApiError } from '../shared/api-error.ts';
import type { PageStatus, UnsupportedReason } from './page-status.ts';
import { unsupported } from './status-messages.ts';
import type { Tabserve } from './tabserve.ts';

/** {@link Tabserve} where the browser lacks the ground it stands on: all it can do is say so. */
export class UnsupportedPage extends EventTarget implements Tabserve {
  readonly status: PageStatus;
  readonly updateAvailable = false;
  readonly ready = new Promise<void>(() => {});

  constructor(reason: UnsupportedReason) {
    super();
    this.status = unsupported(reason);
    // Whoever awaits `ready` waits for ever, and should find out why.
    console.warn(`Tabserve cannot run: ${this.status.message}`);
  }

  async retry(): Promise<void> {}

  load(): Promise<void> {
    return this.#refuse();
  }

  call(): Promise<never> {
    return this.#refuse();
  }

  async applyUpdate(): Promise<void> {}

  async #refuse(): Promise<never> {
    throw new ApiError('engine_unavailable', this.status.message);
  }
}
