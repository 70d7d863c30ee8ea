import type { ApiError } from '../../shared/api-error.ts';
import type { EngineStatus } from '../../shared/engine/engine.ts';
import { STARTING, engineStatus, failureStatus, type PageStatus } from './page-status.ts';
import { logError } from '../console/log-error.ts';

/**
 * What a page tells of itself, made of what is heard from several sides: how the attempt to bring the workers up goes, what
 * the engine says, whether the browser keeps anything, and what the service worker is.
 */
export class StatusTracker {
  readonly #onChange: () => void;
  #status: PageStatus = STARTING;
  /** True when the last attempt failed: an engine may be there all the same, and its status would mislead. */
  #failed = false;
  /** True once requests of this page reach the service worker: before, an engine that is ready is of no use. */
  #served = false;
  #engineStatus: EngineStatus | null = null;
  #keepsNothing = false;
  #warning: string | null = null;

  constructor(onChange: () => void) {
    this.#onChange = onChange;
  }

  get status(): PageStatus {
    return this.#status;
  }

  /** Another attempt begins. */
  start(): void {
    this.#failed = false;
    this.#served = false;
    this.#engineStatus = null;
    this.#set(STARTING);
  }

  /** Requests of this page reach the service worker. */
  serve(): void {
    this.#served = true;
    this.#combine();
  }

  /** The attempt has failed, or what it brought up is of no use any more. */
  fail(error: ApiError): void {
    this.#failed = true;
    this.#set(failureStatus(error));
  }

  setEngineStatus(status: EngineStatus): void {
    this.#engineStatus = status;
    this.#combine();
  }

  /** @param keepsNothing Whether the browser does not open the site's database. */
  setKeepsNothing(keepsNothing: boolean): void {
    this.#keepsNothing = keepsNothing;
    this.#combine();
  }

  /** @param warning What the developer of the site is to know though all works, once on the console; null for nothing. */
  warn(warning: string | null): void {
    if (warning !== null && warning !== this.#warning) logError(warning);
    this.#warning = warning;
  }

  #combine(): void {
    const status = this.#engineStatus;
    if (status === null || this.#failed) return;
    const isUsable = status.state === 'ready' || status.state === 'idle';
    this.#set(isUsable && !this.#served ? STARTING : engineStatus(status, this.#keepsNothing, this.#warning));
  }

  #set(status: PageStatus): void {
    this.#status = status;
    this.#onChange();
  }
}
