import { ApiError } from '../shared/api-error.ts';
import type { CompletionEvent } from '../shared/completion-event.ts';
import type { CompletionRequest } from '../shared/completion-request.ts';
import type { CompletionOptions, CompletionService, Engine, LoadingProgress } from '../shared/engine.ts';
import type { EngineStatus } from '../shared/engine-status.ts';
import type { ModelEntry } from '../shared/model-entry.ts';
import { Completion } from './completion.ts';
import { ModelLoader } from './model-loader.ts';
import { TaskQueue } from './task-queue.ts';
import { Watchdog } from './watchdog.ts';

export interface CompletionsOptions {
  readonly engine: Engine;
  /** The models of this device; null for an id that is not among them. */
  readonly findModel: (id: string) => Promise<ModelEntry | null>;
  /** Description of the graphics adapter, for the status. Default: an empty text. */
  readonly gpu?: Promise<string | null>;
  /** Called when the engine can neither answer nor be unloaded: only a new worker helps. */
  readonly onStuck?: () => void;
  /** Most requests that wait beside the running one. Default: 8. */
  readonly capacity?: number;
  /** Milliseconds after a token within which the next event must come. Default: 60,000. */
  readonly tokenTime?: number;
  /** Milliseconds that a slow device may take to read a long prompt. Default: 300,000. */
  readonly prefillTime?: number;
  /** Milliseconds that a cancelled generation, or an unload, may take to end. Default: 15,000. */
  readonly stopTime?: number;
  /** Milliseconds that a completion outlives a subscriber that died. Default: 2,000. */
  readonly graceTime?: number;
}

/**
 * Answers completions with one engine: one at a time, first come first served, loading models on demand.
 * A completion belongs to the engine, not to who asked: it can be orphaned and joined again.
 */
export class Completions implements CompletionService {
  readonly #engine: Engine;
  readonly #findModel: (id: string) => Promise<ModelEntry | null>;
  readonly #onStuck: () => void;
  readonly #tokenTime: number;
  readonly #prefillTime: number;
  readonly #stopTime: number;
  readonly #graceTime: number;
  readonly #queue: TaskQueue;
  readonly #loader: ModelLoader;
  readonly #live = new Set<Completion>();
  readonly #orphans = new Map<string, { completion: Completion; timer: ReturnType<typeof setTimeout> }>();
  readonly #statusListeners = new Set<(status: EngineStatus) => void>();
  #gpu = '';
  #status: EngineStatus = { state: 'idle' };
  /** A lost device is taken back once; only an answer proves that it was worth it. */
  #reinitialised = false;

  constructor(options: CompletionsOptions) {
    this.#engine = options.engine;
    this.#findModel = options.findModel;
    void options.gpu?.then((gpu) => (this.#gpu = gpu ?? ''));
    this.#onStuck = options.onStuck ?? (() => {});
    this.#tokenTime = options.tokenTime ?? 60_000;
    this.#prefillTime = options.prefillTime ?? 300_000;
    this.#stopTime = options.stopTime ?? 15_000;
    this.#graceTime = options.graceTime ?? 2000;
    this.#queue = new TaskQueue(options.capacity ?? 8);
    this.#loader = new ModelLoader(options.engine, {
      onStart: (model) => this.#onLoadStart(model),
      onProgress: (model, progress) => this.#onLoadProgress(model, progress),
      onEnd: (model, error) => this.#onLoadEnd(model, error),
    });
  }

  get status(): EngineStatus {
    return this.#status;
  }

  /**
   * Tells the present status at once, then every change.
   * @returns a function that ends the watch.
   */
  watchStatus(listener: (status: EngineStatus) => void): () => void {
    listener(this.#status);
    this.#statusListeners.add(listener);
    return () => this.#statusListeners.delete(listener);
  }

  /** Starts a completion, or joins the orphan that the same request left behind. It never throws. */
  start(request: CompletionRequest, options: CompletionOptions): Completion {
    const orphan = this.#orphans.get(options.fingerprint);
    if (orphan) {
      clearTimeout(orphan.timer);
      this.#orphans.delete(options.fingerprint);
      return orphan.completion;
    }
    const completion = new Completion(request, options);
    this.#admit(completion);
    return completion;
  }

  /** The subscriber has died without a word: the completion goes on for a short time and may be joined. */
  orphan(completion: Completion): void {
    const { fingerprint } = completion.options;
    const timer = setTimeout(() => {
      this.#orphans.delete(fingerprint);
      completion.cancel();
    }, this.#graceTime);
    const earlier = this.#orphans.get(fingerprint);
    if (earlier) {
      clearTimeout(earlier.timer);
      earlier.completion.cancel();
    }
    this.#orphans.set(fingerprint, { completion, timer });
  }

  complete(request: CompletionRequest, options: CompletionOptions): ReadableStream<CompletionEvent> {
    const completion = this.start(request, options);
    return new ReadableStream<CompletionEvent>({
      start(controller) {
        completion.log.subscribe((event) => {
          controller.enqueue(event);
          if (event.type === 'done' || event.type === 'error') controller.close();
        });
      },
      cancel: () => completion.cancel(),
    });
  }

  /**
   * Loads a model ahead of the first request, after the requests that came before.
   * @throws ApiError from the engine.
   */
  load(model: ModelEntry): Promise<void> {
    return this.#queue.add(() => this.#loader.ensure(model), { signal: new AbortController().signal, bounded: false });
  }

  /** Frees the model, after the requests that came before. */
  async unload(): Promise<void> {
    const task = async () => {
      await this.#loader.stop();
      await this.#engine.unload();
      this.#setStatus({ state: 'idle' });
    };
    await this.#queue.add(task, { signal: new AbortController().signal, bounded: false });
  }

  #admit(completion: Completion): void {
    const { log, signal } = completion;
    this.#live.add(completion);
    if (this.#loader.loading) this.#hold(completion);
    try {
      this.#queue
        .add(() => this.#answer(completion), {
          signal,
          onPosition: (position) => log.append({ type: 'queued', position }),
        })
        .catch((thrown: unknown) => this.#fail(completion, thrown))
        .finally(() => {
          completion.release();
          this.#live.delete(completion);
        });
    } catch (thrown) {
      this.#live.delete(completion);
      this.#fail(completion, thrown);
    }
  }

  #fail(completion: Completion, thrown: unknown): void {
    if (completion.log.ended) return;
    const error = ApiError.from(thrown);
    if (error.code === 'internal_error') console.error(error.message, error.cause);
    completion.fail(error);
  }

  async #answer(completion: Completion): Promise<void> {
    const { request, signal, log } = completion;
    const model = await this.#findModel(request.model);
    if (!model) {
      throw new ApiError('model_not_found', `The model ${JSON.stringify(request.model)} is not on this device.`, {
        param: 'model',
      });
    }
    await this.#loader.ensure(model, signal);
    completion.generating = true;
    completion.release();
    try {
      for await (const event of this.#generate(request, signal)) {
        log.append(event);
      }
      if (!signal.aborted && !log.ended) throw new Error('The engine ended a generation without saying so.');
      this.#reinitialised = false;
    } catch (thrown) {
      this.#fail(completion, thrown);
      await this.#recover(model, ApiError.from(thrown));
    }
  }

  async *#generate(request: CompletionRequest, signal: AbortSignal) {
    const iterator = this.#engine.generate(request, signal)[Symbol.asyncIterator]();
    const watchdog = new Watchdog();
    const onAbort = () => watchdog.expect(this.#stopTime);
    signal.addEventListener('abort', onAbort, { once: true });
    try {
      watchdog.expect(signal.aborted ? this.#stopTime : this.#prefillTime);
      for (;;) {
        const result = await Promise.race([iterator.next(), watchdog.expired]);
        if (result.done) return;
        yield result.value;
        // Each choice begins with a prefill of its own.
        if (!signal.aborted) watchdog.expect(result.value.type === 'delta' ? this.#tokenTime : this.#prefillTime);
      }
    } finally {
      signal.removeEventListener('abort', onAbort);
      watchdog.stop();
      // Not awaited: an engine that is stuck would not answer.
      void iterator.return?.();
    }
  }

  async #recover(model: ModelEntry, error: ApiError): Promise<void> {
    if (error.code === 'engine_timeout') {
      if (!(await settlesWithin(this.#engine.unload(), this.#stopTime))) {
        this.#onStuck();
        return;
      }
    } else if (error.code !== 'gpu_device_lost') return;
    this.#setStatus({ state: 'failed', model: model.id, error: error.toData() });
    if (this.#reinitialised) return;
    this.#reinitialised = true;
    // In the background: the next request joins it, or replaces it by its own model.
    this.#loader.ensure(model).catch(() => {});
  }

  #hold(completion: Completion): void {
    completion.hold(() =>
      completion.fail(
        new ApiError('model_loading', `The model ${completion.request.model} is still being loaded. Try again soon.`, {
          retryAfter: this.#loader.remainingSeconds,
        }),
      ),
    );
  }

  #onLoadStart(model: ModelEntry): void {
    this.#setStatus({ state: 'loading', model: model.id, progress: 0, text: 'Starting to load' });
    for (const completion of this.#live) if (!completion.generating) this.#hold(completion);
    this.#tellLoading(model, 0);
  }

  #onLoadProgress(model: ModelEntry, { progress, text }: LoadingProgress): void {
    this.#setStatus({ state: 'loading', model: model.id, progress, text });
    this.#tellLoading(model, progress);
  }

  #tellLoading(model: ModelEntry, progress: number): void {
    for (const { request, generating, log } of this.#live) {
      if (!generating && request.model === model.id) log.append({ type: 'loading', progress });
    }
  }

  #onLoadEnd(model: ModelEntry, error: ApiError | null | undefined): void {
    for (const completion of this.#live) completion.release();
    if (error) this.#setStatus({ state: 'failed', model: model.id, error: error.toData() });
    else if (error === null) this.#setStatus({ state: 'ready', model: model.id, gpu: this.#gpu });
    else this.#setStatus({ state: 'idle' });
  }

  #setStatus(status: EngineStatus): void {
    this.#status = status;
    for (const listener of this.#statusListeners) listener(status);
  }
}

/** False when `promise` is still pending after `time` milliseconds; a rejection counts as settled. */
async function settlesWithin(promise: Promise<unknown>, time: number): Promise<boolean> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), time);
  });
  const settled = promise.then(
    () => true,
    () => true,
  );
  try {
    return await Promise.race([settled, late]);
  } finally {
    clearTimeout(timer);
  }
}
