import type { ApiError } from '../../shared/api-error.ts';
import type { CompletionRequest } from '../../shared/engine/completion-request.ts';
import type { CompletionOptions } from '../../shared/engine/engine.ts';
import { CompletionLog } from './completion-log.ts';

/** One completion from admission to its end: what was asked, what was said, and how to end it. */
export class Completion {
  readonly request: CompletionRequest;
  readonly options: CompletionOptions;
  /** Root of the asking site with a trailing slash. */
  readonly site: string;
  readonly log = new CompletionLog();
  readonly #controller = new AbortController();
  /** True from the moment the model has it; the hold time does not count any more. */
  generating = false;
  #holdTimer: ReturnType<typeof setTimeout> | undefined;
  #standstillTimer: ReturnType<typeof setTimeout> | undefined;
  #toldProgress: number | null = null;

  constructor(request: CompletionRequest, options: CompletionOptions, site: string) {
    this.request = request;
    this.options = options;
    this.site = site;
  }

  /** Aborts when nobody wants the completion any more. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Ends the completion with an error, wherever it stands. */
  fail(error: ApiError): void {
    this.log.append({ type: 'error', error: error.toData() });
    this.#stop();
  }

  /** Ends the completion without a word, wherever it stands. Its listener has gone. */
  cancel(): void {
    this.log.end();
    this.#stop();
  }

  /** Says how far its model is, 0…1, where that is news. */
  tellLoading(progress: number): void {
    if (progress === this.#toldProgress) return;
    this.#toldProgress = progress;
    this.log.append({ type: 'loading', progress });
  }

  /**
   * A model is being loaded and has just begun or advanced. `expire` is called if it does not advance again within
   * `standstillTime` milliseconds, or takes longer altogether than the client waits.
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
