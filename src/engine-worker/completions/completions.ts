import { ApiError } from '../../shared/api-error.ts';
import type { CompletionRequest } from '../../shared/engine/completion-request.ts';
import type { CompletionOptions, Engine, EngineStatus } from '../../shared/engine/engine.ts';
import { GPU_RETRY_DELAYS, gpuUnavailable, modelNotOnDevice } from '../../shared/engine/engine-errors.ts';
import type { ModelEntry } from '../../shared/models/model-entry.ts';
import { sleep, withTimeout } from '../../shared/timeout.ts';
import { trace } from '../../shared/trace/trace.ts';
import { Completion } from './completion.ts';
import { STANDSTILL_TIME, UNNAMED_GPU, type CompletionsOptions, type FindModel } from './completions-options.ts';
import { generateTruncated } from './generate-truncated.ts';
import { JoinableCompletions } from './joinable-completions.ts';
import { isEmbedded } from '../embedded-site.ts';
import { IdleUnloader } from './idle-unloader.ts';
import { isLoaded, loadedOfKind, ModelLoader } from './model-loader.ts';
import type { GpuSource } from '../gpu-source.ts';
import { validateAnswers } from '../grammar/validate-answers.ts';
import { refuseAmbiguousTools } from '../tools/refuse-ambiguous-tools.ts';
import { repeatFailedCalls } from './repeat-failed-calls.ts';
import { ParallelAnswers } from './parallel-answers.ts';
import { Removals } from './removals.ts';
import { StatusSource } from './status-source.ts';
import { TaskQueue } from './task-queue.ts';
import { DEFAULT_GENERATION_TIMEOUTS, withGenerationTimeouts, type GenerationTimeouts } from './generation-timeouts.ts';

/**
 * Runs completions on one engine in order, and loads their models when needed. They run one at a time, or together if
 * they are for the loaded model and the engine answers several requests at once.
 */
export class Completions {
  /** The completions that later requests can join. Notify it when a client ends its subscription. */
  readonly joinable: JoinableCompletions;
  readonly #engine: Engine;
  readonly #findModel: FindModel;
  readonly #onStuck: () => void;
  readonly #cacheScope: (site: string) => string | undefined;
  readonly #onAnswered: (completion: Completion) => void;
  readonly #standstillTime: number;
  readonly #timeouts: GenerationTimeouts;
  readonly #queue: TaskQueue;
  readonly #loader: ModelLoader;
  readonly #live = new Set<Completion>();
  readonly #answers: ParallelAnswers;
  readonly #gpu: GpuSource;
  readonly #status: StatusSource;
  readonly #idle = new IdleUnloader((model) => this.#unloadIdle(model));
  /**
   * Whether the model was reloaded after the last failure. If so, the next failure causes no reload. Reset when a
   * completion succeeds.
   */
  #reloaded = false;
  readonly #removals = new Removals();
  /** Ids of models whose download was cancelled, until their deletion begins. A load would fetch what is missing. */
  readonly #cancelled = new Set<string>();

  constructor(options: CompletionsOptions) {
    this.#engine = options.engine;
    this.#findModel = options.findModel;
    this.#gpu = options.gpu ?? UNNAMED_GPU;
    this.#status = new StatusSource(options.engine);
    void this.#nameGpu();
    this.#onStuck = options.onStuck ?? (() => {});
    this.#cacheScope = options.cacheScope ?? (() => undefined);
    this.#onAnswered = options.onAnswered ?? (() => {});
    this.#standstillTime = options.standstillTime ?? STANDSTILL_TIME;
    this.#timeouts = { ...DEFAULT_GENERATION_TIMEOUTS, ...options.timeouts };
    this.joinable = new JoinableCompletions(options.joinable, options.saveLog, options.elsewhere);
    this.#answers = new ParallelAnswers(options.engine);
    this.#queue = new TaskQueue(options.capacity ?? 8, options.isInForeground);
    this.#loader = new ModelLoader(options.engine, 2 * this.#standstillTime, {
      onProgress: (model, progress) => {
        this.#status.loading(model, progress);
        void this.#nameGpu();
        this.#onLoadAdvance();
      },
      onEnd: (model, error) => this.#onLoadEnd(model, error),
      onStuck: this.#onStuck,
    });
  }

  get status(): EngineStatus {
    return this.#status.current;
  }

  /** Whether no request runs or waits, and no model is being loaded. */
  get isIdle(): boolean {
    // A request that waits for a deletion is in no queue.
    return this.#live.size === 0 && this.#queue.size === 0 && !this.#loader.loading;
  }

  /** See {@link StatusSource.watch}. */
  watchStatus(listener: (status: EngineStatus) => void): () => void {
    return this.#status.watch(listener);
  }

  /**
   * Starts a completion, or joins an earlier one for the same request. Never throws.
   * @param site Root address of the site whose client sent the request, with a trailing slash.
   */
  start(request: CompletionRequest, options: CompletionOptions, site: string): Completion {
    const cacheScope = this.#cacheScope(site);
    const scoped = cacheScope === undefined ? request : { ...request, cacheScope };
    const asked = new Completion(scoped, options, site);
    const completion = this.joinable.join(asked);
    if (completion === asked && !asked.log.ended && !options.resumable?.joinsOnly) this.#admit(asked);
    return completion;
  }

  /** Ends all completions of a site with an error. */
  failSite(site: string, error: ApiError): void {
    for (const completion of this.#live) if (completion.site === site) completion.fail(error);
  }

  /**
   * Loads a model after all queued requests.
   * @param site Root address of the site whose client asks, with a trailing slash.
   * @throws ApiError if the engine cannot load it; `rate_limit_exceeded` if too many requests wait of another site.
   */
  async load(model: ModelEntry, site: string): Promise<void> {
    const task = async () => this.#loader.ensure(await this.#unlessDeleted(model, site));
    await this.#removals.before(model.id, () => this.#queue.add(task, { bounded: isEmbedded(site), lane: site }));
    void this.#used(model, site);
  }

  /**
   * Loads a model in advance. Does nothing if that could disturb another page: if a model of its kind (chat or
   * embedding) is loaded, if any model is being loaded, or if any request is running or waiting.
   * @param site Root address of the site whose client asks, with a trailing slash.
   * @throws ApiError from the engine.
   */
  async preload(model: ModelEntry, site: string): Promise<void> {
    const isTaken = loadedOfKind(this.#engine, model.embedding) !== null;
    if (!isTaken && this.isIdle) await this.load(model, site);
  }

  /**
   * Waits in the queue, loads the model and runs a short task with its tokenizer.
   * @param site Root address of the site whose client asks, with a trailing slash.
   * @throws ApiError if the engine cannot load the model, or at once if it has no tokenizer; `rate_limit_exceeded` if the
   * queue is full.
   */
  async use<Result>(
    model: ModelEntry,
    site: string,
    task: (engine: Engine) => Result | Promise<Result>,
  ): Promise<Result> {
    if (this.#engine.requireTokenizer) await this.#engine.requireTokenizer(model);
    const use = async () => {
      await this.#loader.ensure(await this.#unlessDeleted(model, site));
      try {
        return await task(this.#engine);
      } finally {
        void this.#used(model, site);
      }
    };
    return this.#removals.before(model.id, () => this.#queue.add(use, { lane: site, isShort: true }));
  }

  /** Unloads the models after all queued requests. */
  unload(): Promise<void> {
    const task = async () => {
      await this.#loader.stop();
      await this.#engine.unload();
      this.#status.unloaded();
    };
    return this.#queue.add(task, { bounded: false });
  }

  /**
   * Deletes the files of a model: at once, or, if the model is loaded or a request needs it, in its turn among the requests of
   * the site. Requests for the model that come meanwhile wait, those for others do not.
   * @param remove Deletes the files. It must settle even if the storage hangs.
   * @throws any error of `remove`.
   */
  async deleteModel(id: string, site: string, remove: () => Promise<void>): Promise<void> {
    const begin = () => {
      // A model that could not be loaded is no reason for a message any more, nor to be loaded again.
      if (this.status.state === 'failed' && this.status.model === id) this.#status.unloaded();
      const removal = remove();
      this.#removals.add(id, removal);
      return { removal };
    };
    const free = async () => {
      if (this.#loader.loadingModel === id) await this.#loader.stop();
      if (isLoaded(this.#engine, id)) {
        await this.#engine.unload(this.#engine.loadedModel === id ? 'chat' : 'embedding');
        this.#status.unloaded();
      }
      return begin();
    };
    const isAsked = [...this.#live].some(({ request }) => request.model === id);
    const isUsed = isAsked || this.#loader.loadingModel === id || isLoaded(this.#engine, id);
    const begun = isUsed ? this.#queue.add(free, { bounded: false, lane: site }) : Promise.resolve(begin());
    const { removal } = await begun.finally(() => this.#cancelled.delete(id));
    await removal;
  }

  /** Ends the load of a model whose download is cancelled, and what waits for it. Delete it then: it is not loaded before. */
  stopLoad(id: string): void {
    this.#cancelled.add(id);
    if (this.#loader.loadingModel !== id) return;
    const error = modelNotOnDevice(id);
    for (const each of this.#live) if (each.request.model === id && !each.generating) each.fail(error);
    void this.#loader.stop(error);
  }

  /**
   * Waits until the files of a model are gone that is being deleted, or was while its request waited.
   * @throws ApiError `model_not_found` if the model is on the device no more; the signal's reason.
   */
  async #unlessDeleted(model: ModelEntry, site: string, signal = new AbortController().signal): Promise<ModelEntry> {
    const found = (await this.#removals.ended(model.id, signal)) ? await this.#findModel(model.id, site) : model;
    if (!found || (this.#cancelled.has(model.id) && !this.#loader.isLoaded(found))) throw modelNotOnDevice(model.id);
    return found;
  }

  /** Called when {@link ModelEntry.keepAlive} of a model has changed. Its time begins anew. */
  keepAliveChanged(model: ModelEntry): void {
    if (loadedOfKind(this.#engine, model.embedding) === model.id) this.#idle.used(model);
  }

  /** See {@link IdleUnloader}. The unloading is a task of the queue, so that no request uses the model meanwhile. */
  #unloadIdle({ id, embedding, keepAlive }: ModelEntry): boolean {
    if (this.#queue.size > 0) return false;
    const task = async () => {
      if (loadedOfKind(this.#engine, embedding) !== id) return;
      await this.#engine.unload(embedding ? 'embedding' : 'chat');
      trace('engine', `${id} is unloaded, because it was unused for ${keepAlive} s`);
      this.#status.unloaded();
    };
    this.#queue
      .add(task, { bounded: false })
      .catch((thrown: unknown) => trace('engine', 'unloading failed', String(thrown)));
    return true;
  }

  #admit(completion: Completion): void {
    const { log, signal } = completion;
    this.#live.add(completion);
    try {
      refuseAmbiguousTools(completion.request.tools);
      this.#engine.check?.(completion.request);
      if (this.#loader.loading) this.#hold(completion);
      this.#tellLoad(completion);
      const enter = () =>
        this.#queue.add(() => this.#answer(completion), {
          signal,
          lane: completion.site,
          ...(completion.options.isBackground && { isBackground: true, bounded: false }),
          onPosition: (position) => log.append({ type: 'queued', position }),
          canRunBeside: () => this.#answers.canTake(completion, this.#queue.running),
        });
      this.#removals
        .before(completion.request.model, () => this.joinable.makeRoom(completion.site, enter), signal)
        .catch((thrown: unknown) => this.#fail(completion, thrown))
        .finally(() => this.#onOver(completion));
    } catch (thrown) {
      this.#fail(completion, thrown);
      this.#onOver(completion);
    }
  }

  #onOver(completion: Completion): void {
    completion.release();
    this.#live.delete(completion);
    this.joinable.ended(completion);
  }

  #fail(completion: Completion, thrown: unknown): void {
    if (completion.log.ended) return;
    const error = ApiError.from(thrown);
    if (error.code === 'internal_error') console.error(error.message, error.cause);
    completion.fail(error);
  }

  async #answer(completion: Completion): Promise<void> {
    const { request, site, signal, log } = completion;
    const found = await this.#findModel(request.model, site);
    if (!found) throw modelNotOnDevice(request.model);
    const model = await this.#unlessDeleted(found, site, signal);
    // A model whose context window the user has changed must be reloaded. The reload waits for the parallel answers.
    if (!this.#loader.isLoaded(model)) await this.#answers.ended();
    await this.#loader.ensure(model, signal);
    completion.generating = true;
    completion.release();
    this.#answers.add(completion);
    this.#queue.startNext();
    try {
      const generate = (asked: CompletionRequest) => {
        const generated = generateTruncated(this.#engine, asked, signal, completion.options.requestId);
        return withGenerationTimeouts(generated, signal, this.#timeouts);
      };
      const events = validateAnswers(repeatFailedCalls(generate, request, signal), request);
      for await (const event of events) {
        log.append(event.type === 'done' ? { ...event, completed: Math.floor(Date.now() / 1000) } : event);
        if (event.type !== 'done') continue;
        const { promptTokens, cachedTokens } = event.usage;
        trace(completion.options.requestId, `${cachedTokens} of ${promptTokens} tokens of the prompt were cached`);
        if (model.embedding === undefined) this.#status.answered(event.usage);
      }
      if (!signal.aborted && !log.ended) throw new Error('The engine ended a generation without a `done` event.');
      this.#reloaded = false;
    } catch (thrown) {
      // Read before the completion fails, which aborts the signal, too.
      const isCancelled = signal.aborted;
      this.#fail(completion, thrown);
      await this.#recover(model, ApiError.from(thrown), isCancelled);
    } finally {
      this.#answers.delete(completion);
      this.#onAnswered(completion);
      void this.#used(model, site, request.keepAlive);
    }
  }

  /**
   * Lets the time begin after which an unused model is unloaded, as the user has set it by now: it may have changed during
   * the use.
   * @param keepAlive The time in seconds that a request has asked for. Default: that of the model.
   */
  async #used(model: ModelEntry, site: string, keepAlive?: number): Promise<void> {
    this.#idle.pause(model);
    const now = (await this.#findModel(model.id, site).catch(() => null)) ?? model;
    this.keepAliveChanged(keepAlive === undefined ? now : { ...now, keepAlive });
  }

  /** Loads a model again that an answer has made unusable, and shows the error unless the client cancelled the answer. */
  async #recover(model: ModelEntry, error: ApiError, isCancelled: boolean): Promise<void> {
    if (error.code === 'engine_timeout') {
      const unloaded = Promise.allSettled([this.#engine.unload()]);
      if (!(await withTimeout(this.#timeouts.stop, unloaded, null))) {
        this.#onStuck();
        return;
      }
    } else if (error.code !== 'gpu_device_lost' && isLoaded(this.#engine, model.id)) return;
    // A parallel answer failed for the same reason and has already started the reload.
    if (this.#loader.loading) return;
    // A step of llama.cpp can be stopped only by ending its worker. For a cancelled answer that is no failure.
    if (!isCancelled || error.code === 'engine_timeout' || error.code === 'gpu_device_lost') {
      this.#status.failed(model, error);
      if (this.#reloaded) return;
      this.#reloaded = true;
    }
    // Not awaited: the next request joins or replaces this load.
    this.#loader.ensure(model).catch(() => {});
  }

  /**
   * Reports the load before the queue position if the model is not loaded. The service worker then delays the headers
   * of a JSON response until the model is loaded.
   */
  #tellLoad(completion: Completion): void {
    const { model } = completion.request;
    const { current: status } = this.#status;
    if (status.state === 'loading' && status.model === model) completion.tellLoading(status.progress);
    else if (this.#loader.loading || !isLoaded(this.#engine, model)) completion.tellLoading(0);
  }

  #hold(completion: Completion): void {
    completion.hold(this.#standstillTime, () =>
      completion.fail(
        new ApiError('model_loading', `The model ${completion.request.model} is still being loaded. Try again soon.`, {
          retryAfter: this.#loader.remainingSeconds,
        }),
      ),
    );
  }

  #onLoadAdvance(): void {
    for (const completion of this.#live) {
      if (completion.generating) continue;
      this.#hold(completion);
      this.#tellLoad(completion);
    }
  }

  /** Sets the name of the GPU. While a browser starts its GPU process it grants no device, so each load asks again. */
  async #nameGpu(): Promise<void> {
    if (this.#status.gpuName === '') this.#status.gpuName = (await this.#gpu.find())?.description ?? '';
  }

  #onLoadEnd(model: ModelEntry, error: ApiError | null | undefined): void {
    for (const completion of this.#live) completion.release();
    this.#status.loadEnded(model, error);
    if (error === null) this.#idle.used(model);
    if (error?.code === 'gpu_device_lost') void this.#awaitGpu(model);
  }

  /** Reloads a model once the GPU is available, unless the engine's status has changed in the meantime. */
  async #awaitGpu(model: ModelEntry): Promise<void> {
    const { current: failed } = this.#status;
    for (const delay of GPU_RETRY_DELAYS) {
      await sleep(delay);
      if (this.#status.current !== failed) return;
      if (await this.#gpu.isGone()) continue;
      if (this.#status.current === failed) await this.#loader.ensure(model).catch(() => {});
      return;
    }
    this.#status.failed(model, gpuUnavailable());
  }
}
