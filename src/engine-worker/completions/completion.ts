import type { ApiError } from '../../shared/api-error.ts';
import type { CompletionRequest } from '../../shared/engine/completion-request.ts';
import type { CompletionOptions } from '../../shared/engine/engine.ts';
import { CompletionLog } from './completion-log.ts';

/** One completion from admission to end. */
export class Completion {
  readonly request: CompletionRequest;
  readonly options: CompletionOptions;
  /** Root address of the site whose client sent the request, with a trailing slash. */
  readonly site: string;
  readonly log = new CompletionLog();
  readonly #controller = new AbortController();
  /** True after the model has started to generate. From then on the client's `holdTime` no longer applies. */
  generating = false;
  #holdTimer: ReturnType<typeof setTimeout> | undefined;
  #standstillTimer: ReturnType<typeof setTimeout> | undefined;
  #toldProgress: number | null = null;

  constructor(request: CompletionRequest, options: CompletionOptions, site: string) {
    this.request = request;
    this.options = options;
    this.site = site;
  }

  /** Aborts when the completion fails or is cancelled. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  fail(error: ApiError): void {
    this.log.append({ type: 'error', error: error.toData() });
    this.#stop();
  }

  /** Ends the completion without a `done` or `error` event. */
  cancel(): void {
    this.log.end();
    this.#stop();
  }

  /** Adds a `loading` event with the load progress, 0…1, if the progress has changed. */
  tellLoading(progress: number): void {
    if (progress === this.#toldProgress) return;
    this.#toldProgress = progress;
    this.log.append({ type: 'loading', progress });
  }

  /**
   * Calls `expire` if the load of the model makes no progress for `standstillTime` milliseconds, or when the client's
   * `holdTime` has passed. Call this method when the load starts, and on each progress.
   */
  hold(standstillTime: number, expire: () => void): void {
    const { holdTime } = this.options;
    if (holdTime !== null) this.#holdTimer ??= setTimeout(expire, holdTime);
    clearTimeout(this.#standstillTimer);
    this.#standstillTimer = setTimeout(expire, standstillTime);
  }

  release(): void {
    clearTimeout(this.#holdTimer);
    clearTimeout(this.#standstillTimer);
    this.#holdTimer = undefined;
  }

  #stop(): void {
    this.release();
    this.#controller.abort();
  }
}
