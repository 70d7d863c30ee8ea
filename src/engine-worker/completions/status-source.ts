import type { ApiError } from '../../shared/api-error.ts';
import type { Usage } from '../../shared/engine/completion-event.ts';
import type { Engine, EngineStatus, LoadingProgress } from '../../shared/engine/engine.ts';
import type { ModelEntry } from '../../shared/models/model-entry.ts';

/**
 * The engine's status. While a chat model is loaded, the status describes that model, regardless of the embedding
 * model.
 */
export class StatusSource {
  readonly #engine: Engine;
  readonly #listeners = new Set<(status: EngineStatus) => void>();
  #status: EngineStatus = { state: 'idle' };
  /** Name of the GPU; empty if unknown. */
  gpuName = '';

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  get current(): EngineStatus {
    return this.#status;
  }

  /**
   * Calls `listener` immediately with the current status, then on every change.
   * @returns A function that unsubscribes.
   */
  watch(listener: (status: EngineStatus) => void): () => void {
    listener(this.#status);
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  set(status: EngineStatus): void {
    this.#status = status;
    for (const listener of this.#listeners) listener(status);
  }

  loading(model: ModelEntry, progress: LoadingProgress): void {
    if (!this.#isBeside(model)) this.set({ state: 'loading', model: model.id, ...progress });
  }

  /** @param error Null after success, undefined if the load was aborted. */
  loadEnded(model: ModelEntry, error: ApiError | null | undefined): void {
    if (error === null) this.#ready(model.id, model.embedding !== undefined);
    else if (!this.#isBeside(model)) this.set(error ? failed(model, error) : { state: 'idle' });
  }

  failed(model: ModelEntry, error: ApiError): void {
    if (!this.#isBeside(model)) this.set(failed(model, error));
  }

  /** Called when models were unloaded; others may still be loaded. */
  unloaded(): void {
    const { loadedModel, loadedEmbeddingModel } = this.#engine;
    const left = loadedModel ?? loadedEmbeddingModel ?? null;
    if (left === null) this.set({ state: 'idle' });
    else this.#ready(left, loadedModel !== null);
  }

  /** Adds the prompt tokens of one answer, and how many of them were cached, to the totals in the status. */
  answered({ promptTokens, cachedTokens }: Usage): void {
    if (this.#status.state !== 'ready') return;
    const { promptCache: use } = this.#status;
    const promptCache = {
      ...use,
      promptTokens: use.promptTokens + promptTokens,
      cachedTokens: use.cachedTokens + cachedTokens,
    };
    this.set({ ...this.#status, promptCache });
  }

  /** @param keepsCache Whether the chat model, and with it the use of its prompt cache, stays as it was. */
  #ready(id: string, keepsCache: boolean): void {
    const { loadedModel, loadedEmbeddingModel, extensions = [], place, parallel = 1 } = this.#engine;
    const off = extensions.find(({ name }) => name === 'prompt-cache')?.off ?? null;
    const before = keepsCache && this.#status.state === 'ready' ? this.#status.promptCache : null;
    this.set({
      state: 'ready',
      model: loadedModel ?? id,
      ...(loadedEmbeddingModel ? { embeddingModel: loadedEmbeddingModel } : {}),
      gpu: this.gpuName,
      ...(place === undefined ? {} : { engine: place }),
      ...(parallel > 1 && { parallel }),
      promptCache: before ?? { promptTokens: 0, cachedTokens: 0, off },
      extensions,
    });
  }

  /** Whether this is an embedding model while a chat model is loaded. Its load or failure then does not change the status. */
  #isBeside({ embedding }: ModelEntry): boolean {
    return embedding !== undefined && this.#status.state === 'ready' && this.#engine.loadedModel !== null;
  }
}

function failed({ id }: ModelEntry, error: ApiError): EngineStatus {
  return { state: 'failed', model: id, error: error.toData() };
}
