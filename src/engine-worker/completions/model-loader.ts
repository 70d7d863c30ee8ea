import { ApiError } from '../../shared/api-error.ts';
import { retryAfterSeconds } from '../../shared/http/retry-after.ts';
import type { Engine, LoadingProgress } from '../../shared/engine/engine.ts';
import type { ModelEntry } from '../../shared/models/model-entry.ts';
import { Watchdog } from './watchdog.ts';
import { withAbort } from '../../shared/timeout.ts';
import { say } from '../strings/say.ts';

export interface LoadObserver {
  /** Called when a load starts and on each progress. */
  onProgress(model: ModelEntry, progress: LoadingProgress): void;
  /** Called when a load ends. `error` is null after success, undefined if the load was aborted. */
  onEnd(model: ModelEntry, error: ApiError | null | undefined): void;
  /** Called when a load has made no progress for `stuckTime`, also after it was aborted. */
  onStuck(): void;
}

interface Load {
  readonly model: ModelEntry;
  readonly controller: AbortController;
  readonly started: number;
  readonly finished: Promise<void>;
  progress: number;
}

/** Whether a progress report differs from the previous one. An equal report does not count as progress. */
function isNews(before: LoadingProgress | null, { progress, text }: LoadingProgress): boolean {
  return before?.progress !== progress || before.text !== text;
}

function isSame(one: ModelEntry, other: ModelEntry): boolean {
  return one.id === other.id && sizeOf(one) === sizeOf(other);
}

/** What the size of the KV cache depends on. If the user has changed it, the model must be loaded again. */
function sizeOf({ contextWindow, parallel = 1 }: ModelEntry): string {
  return `${contextWindow} tokens × ${parallel}`;
}

export function isLoaded({ loadedModel, loadedEmbeddingModel }: Engine, id: string): boolean {
  return loadedModel === id || loadedEmbeddingModel === id;
}

/** The id of the loaded chat model or embedding model, whichever a model with this `embedding` is; null if none is loaded. */
export function loadedOfKind(engine: Engine, embedding: ModelEntry['embedding']): string | null {
  return (embedding ? engine.loadedEmbeddingModel : engine.loadedModel) ?? null;
}

/**
 * Loads one model at a time. When a request is cancelled, its load continues, because the next request most likely
 * needs the same model. A request for another model of the same kind aborts the load.
 */
export class ModelLoader {
  readonly #engine: Engine;
  readonly #observer: LoadObserver;
  readonly #stuckTime: number;
  #load: Load | null = null;
  /** Sizes of the KV cache with which the models were loaded last, by id; see {@link sizeOf}. */
  readonly #sizes = new Map<string, string>();

  /** @param stuckTime Milliseconds without progress after which `onStuck` is called. */
  constructor(engine: Engine, stuckTime: number, observer: LoadObserver) {
    this.#engine = engine;
    this.#stuckTime = stuckTime;
    this.#observer = observer;
  }

  get loading(): boolean {
    return this.#load !== null;
  }

  /** Id of the model that is being loaded; null if none is. */
  get loadingModel(): string | null {
    return this.#load?.model.id ?? null;
  }

  /**
   * Estimated seconds until the running load ends, for `Retry-After`: 1…59, because OpenAI clients ignore 60 and more.
   */
  get remainingSeconds(): number {
    if (!this.#load) return retryAfterSeconds(0);
    const { started, progress } = this.#load;
    const elapsed = (performance.now() - started) / 1000;
    return retryAfterSeconds((elapsed * (1 - progress)) / Math.max(progress, 0.02));
  }

  /**
   * Resolves when `model` is loaded.
   * @param signal Ends the wait but not the load. Default: nothing ends the wait early.
   * @throws ApiError if the engine cannot load the model; the signal's reason if it aborts.
   */
  async ensure(model: ModelEntry, signal = new AbortController().signal): Promise<void> {
    signal.throwIfAborted();
    while (this.#load && !isSame(this.#load.model, model)) {
      const isSameKind = !this.#load.model.embedding === !model.embedding;
      if (isSameKind) await this.stop();
      else await withAbort(this.#load.finished, signal).catch(() => {});
      signal.throwIfAborted();
    }
    if (!this.#load && this.isLoaded(model)) return;
    this.#load ??= this.#start(model);
    await withAbort(this.#load.finished, signal);
  }

  /**
   * Whether the model is loaded with its current context window, for its current number of requests at once. If the user
   * has changed one of them, the model is loaded again.
   */
  isLoaded(model: ModelEntry): boolean {
    return isLoaded(this.#engine, model.id) && (this.#sizes.get(model.id) ?? sizeOf(model)) === sizeOf(model);
  }

  /**
   * Aborts a running load. Resolves when the engine is free.
   * @param reason The error of what waits for the load. Default: that it was aborted.
   */
  async stop(reason?: ApiError): Promise<void> {
    if (!this.#load) return;
    this.#load.controller.abort(reason);
    await this.#load.finished.catch(() => {});
  }

  #start(model: ModelEntry): Load {
    const controller = new AbortController();
    this.#observer.onProgress(model, { progress: 0, ...say('loadStarting') });
    const watchdog = new Watchdog();
    watchdog.expect(this.#stuckTime);
    watchdog.expired.addEventListener('abort', () => this.#observer.onStuck(), { once: true });
    let last: LoadingProgress | null = null;
    const report = (progress: LoadingProgress) => {
      if (!isNews(last, progress)) return;
      last = progress;
      // Reports after an abort count as progress, too: WebLLM finishes the transfers that are in progress.
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
    // Handles the rejection in case no request waits for the load.
    finished.catch(() => {});
    const load: Load = { model, controller, started: performance.now(), finished, progress: 0 };
    return load;
  }

  #end(model: ModelEntry, error: ApiError | null | undefined): void {
    this.#load = null;
    if (error === null) this.#sizes.set(model.id, sizeOf(model));
    this.#observer.onEnd(model, error);
  }
}
