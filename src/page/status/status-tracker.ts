import type { ApiError } from '../../shared/api-error.ts';
import type { EngineStatus } from '../../shared/engine/engine.ts';
import { STARTING, engineStatus, failureStatus, type HubState, type PageStatus } from './page-status.ts';
import { logError } from '../console/log-error.ts';

/** Derives the page's status from the start attempt, the engine, the database and the service worker. */
export class StatusTracker {
  readonly #onChange: () => void;
  #status: PageStatus = STARTING;
  /**
   * True after a failed attempt. The engine may be connected nevertheless; then its status is ignored, because the page
   * cannot use it.
   */
  #failed = false;
  /** True once the service worker intercepts this page's requests. Until then a ready engine is of no use. */
  #served = false;
  #engineStatus: EngineStatus | null = null;
  #keepsNothing = false;
  #warning: string | null = null;
  #hub: HubState | null = null;

  constructor(onChange: () => void) {
    this.#onChange = onChange;
  }

  get status(): PageStatus {
    return this.#status;
  }

  /** Sets the status for a new attempt to start. */
  start(): void {
    this.#failed = false;
    this.#served = false;
    this.#engineStatus = null;
    this.#set(STARTING);
  }

  /** Call it once the service worker intercepts this page's requests. */
  serve(): void {
    this.#served = true;
    this.#combine();
  }

  /** Sets the status after an attempt has failed, or after its result became unusable. */
  fail(error: ApiError): void {
    this.#failed = true;
    this.#set(failureStatus(error));
  }

  setEngineStatus(status: EngineStatus): void {
    this.#engineStatus = status;
    this.#combine();
  }

  /** Sets whether the status says that the browser cannot open the site's database. */
  setKeepsNothing(keepsNothing: boolean): void {
    this.#keepsNothing = keepsNothing;
    this.#combine();
  }

  /**
   * Adds a warning for the site's developer to the status, and logs it once.
   * @param warning A sentence; null removes the warning.
   */
  warn(warning: string | null): void {
    if (warning !== null && warning !== this.#warning) logError(warning);
    this.#warning = warning;
    this.#combine();
  }

  /** Sets whether the hub's engine is used, before the status of the engine arrives. */
  setHub(hub: HubState): void {
    if (hub.fault !== null && hub.fault !== this.#hub?.fault) logError(hub.message);
    this.#hub = hub;
    this.#combine();
  }

  #combine(): void {
    const status = this.#engineStatus;
    if (status === null || this.#failed) return;
    const isUsable = status.state === 'ready' || status.state === 'idle';
    this.#set(
      isUsable && !this.#served ? STARTING : engineStatus(status, this.#keepsNothing, this.#warning, this.#hub),
    );
  }

  #set(status: PageStatus): void {
    this.#status = status;
    this.#onChange();
  }
}
