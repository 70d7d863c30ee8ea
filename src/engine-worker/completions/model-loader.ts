import { ApiError } from '../../shared/api-error.ts';
import { retryAfterSeconds } from '../../shared/http/retry-after.ts';
import type { Engine, LoadingProgress } from '../../shared/engine/engine.ts';
import type { ModelEntry } from '../../shared/models/model-entry.ts';
import { Watchdog } from './watchdog.ts';
import { withAbort } from '../../shared/timeout.ts';
import { loadingStrings } from '../strings/model-loading.ts';

export interface LoadObserver {
  /** Called at the start too. */
  onProgress(model: ModelEntry, progress: LoadingProgress): void;
  /** `error` is null after success, undefined when another model took the place of this one. */
  onEnd(model: ModelEntry, error: ApiError | null | undefined): void;
  /** A load stands still, and nothing can end it. */
  onStuck(): void;
}

interface Load {
  readonly model: ModelEntry;
  readonly controller: AbortController;
  readonly started: number;
  readonly finished: Promise<void>;
  progress: number;
}

/** A load that says the same once more has not advanced. */
function isNews(before: LoadingProgress | null, { progress, text }: LoadingProgress): boolean {
  return before?.progress !== progress || before.text !== text;
}

/** Whether a model of either kind can answer. */
export function isLoaded({ loadedModel, loadedEmbeddingModel }: Engine, id: string): boolean {
  return loadedModel === id || loadedEmbeddingModel === id;
}

/**
 * Loads one model at a time. A load goes on when the request that caused it has given up, since the next
 * one most likely asks for the same model; asking for another model of its kind ends it.
 */
export class ModelLoader {
  readonly #engine: Engine;
  readonly #observer: LoadObserver;
  readonly #stuckTime: number;
  #load: Load | null = null;

  /** @param stuckTime Milliseconds without a step after which a load is given up. */
  constructor(engine: Engine, stuckTime: number, observer: LoadObserver) {
    this.#engine = engine;
    this.#stuckTime = stuckTime;
    this.#observer = observer;
  }

  get loading(): boolean {
    return this.#load !== null;
  }

  /** Seconds (1…59) that the running load will probably still take. */
  get remainingSeconds(): number {
    if (!this.#load) return retryAfterSeconds(0);
    const { started, progress } = this.#load;
    const elapsed = (performance.now() - started) / 1000;
    return retryAfterSeconds((elapsed * (1 - progress)) / Math.max(progress, 0.02));
  }

  /**
   * Resolves when `model` is the loaded one.
   * @param signal Ends the waiting, not the load. Default: nothing does.
   * @throws ApiError from the engine; the signal's reason.
   */
  async ensure(model: ModelEntry, signal = new AbortController().signal): Promise<void> {
    signal.throwIfAborted();
    while (this.#load && this.#load.model.id !== model.id) {
      const isSameKind = !this.#load.model.embedding === !model.embedding;
      if (isSameKind) await this.stop();
      else await withAbort(this.#load.finished, signal).catch(() => {});
      signal.throwIfAborted();
    }
    if (!this.#load && isLoaded(this.#engine, model.id)) return;
    this.#load ??= this.#start(model);
    await withAbort(this.#load.finished, signal);
  }

  /** Ends a running load and resolves when the engine is free of it. */
  async stop(): Promise<void> {
    if (!this.#load) return;
    this.#load.controller.abort();
    await this.#load.finished.catch(() => {});
  }

  #start(model: ModelEntry): Load {
    const controller = new AbortController();
    this.#observer.onProgress(model, { progress: 0, text: loadingStrings.starting });
    const watchdog = new Watchdog();
    watchdog.expect(this.#stuckTime);
    watchdog.expired.addEventListener('abort', () => this.#observer.onStuck(), { once: true });
    let last: LoadingProgress | null = null;
    const report = (progress: LoadingProgress) => {
      if (!isNews(last, progress)) return;
      last = progress;
      // Also after an abort: what is on its way to the device arrives first.
      watchdog.expect(this.#stuckTime);
      if (controller.signal.aborted) return;
      load.progress = progress.progress;
      this.#observer.onProgress(model, progress);
    };
    const loading = this.#engine.load(model, report, controller.signal).finally(() => watchdog.stop());
    const finished = loading.then(
      () => this.#end(model, null),
      (thrown: unknown) => {
        const error = ApiError.from(thrown);
        this.#end(model, controller.signal.aborted ? undefined : error);
        throw error;
      },
    );
    // A load may fail when nobody waits for it any more; its observer has been told.
    finished.catch(() => {});
    const load: Load = { model, controller, started: performance.now(), finished, progress: 0 };
    return load;
  }

  #end(model: ModelEntry, error: ApiError | null | undefined): void {
    this.#load = null;
    this.#observer.onEnd(model, error);
  }
}
