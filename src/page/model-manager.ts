import {
  MODEL_EVENTS_CHANNEL,
  type CustomModel,
  type GgufOffer,
  type ModelEvent,
  type ModelListing,
  type StorageReport,
} from '../shared/models/model-management.ts';
import type { OutsideRequest } from '../shared/security/outside-requests.ts';
import type { Tabserve } from './tabserve.ts';

/**
 * Manages models by the engine worker's `models/…` calls. Downloads run in the engine worker: they continue when this
 * page is closed, and every page sees their progress.
 *
 * Methods throw an ApiError: `model_not_found` for an unknown id, `invalid_value` for wrong input, `engine_unavailable`
 * if no engine can be reached.
 */
export class ModelManager {
  readonly #tabserve: Tabserve;

  constructor(tabserve: Tabserve) {
    this.#tabserve = tabserve;
  }

  /** Every model in the catalogue and on this device. The built-in ones come first. */
  list(): Promise<readonly ModelListing[]> {
    return this.#tabserve.call('models/list', null);
  }

  /** Fetches the size of the download; bytes. */
  size(id: string): Promise<number> {
    return this.#tabserve.call('models/size', { id });
  }

  /** Starts or resumes a download, or repairs a damaged model. */
  async download(id: string): Promise<void> {
    await this.#tabserve.call('models/download', { id });
  }

  async pause(id: string): Promise<void> {
    await this.#tabserve.call('models/pause', { id });
  }

  /** Cancels a download and deletes its files. A model that it repairs stays as it is. */
  async cancel(id: string): Promise<void> {
    await this.#tabserve.call('models/cancel', { id });
  }

  /** Unloads a model and deletes it from this device. */
  async delete(id: string): Promise<void> {
    await this.#tabserve.call('models/delete', { id });
  }

  /**
   * Sets the context window of a downloaded model in tokens, up to its listing's `windowLimits`. The next request loads the
   * model with it.
   */
  async setContextWindow(id: string, tokens: number): Promise<void> {
    await this.#tabserve.call('models/set-context-window', { id, tokens });
  }

  /**
   * Sets how many requests a downloaded GGUF model answers at once, up to `mostParallel` in its listing's `settings`. Each
   * takes memory for a context window of its own. The next request loads the model so.
   */
  async setParallel(id: string, requests: number): Promise<void> {
    await this.#tabserve.call('models/set-parallel', { id, requests });
  }

  /**
   * Sets how many seconds a downloaded model stays loaded after its last request. 0: it is unloaded after each answer.
   * Negative: it stays loaded.
   */
  async setKeepAlive(id: string, seconds: number): Promise<void> {
    await this.#tabserve.call('models/set-keep-alive', { id, seconds });
  }

  /**
   * Reads only the header of a GGUF model. To get the model, pass the offer's `id` to {@link download}, which downloads
   * it or copies the chosen files.
   * @param from Either the address of a `.gguf` file whose server allows cross-origin reads (CORS), or that of a repository
   * on Hugging Face as people copy it, such as `owner/name:Q4_K_M` or a page's address; or local files: one file, or all
   * parts of a split model.
   */
  inspectGguf(from: string | readonly File[]): Promise<GgufOffer> {
    return this.#tabserve.call('models/inspect-gguf', { from });
  }

  /** Starts the download of a model that is not in the catalogue. */
  async addCustom(model: CustomModel): Promise<void> {
    await this.#tabserve.call('models/add-custom', model);
  }

  /**
   * Asks the browser whether it has a model of its own (`LanguageModel`). If it has, requests can name it as `browser`
   * from then on, after a reload too. No page asks without this call, because Chrome logs a warning on the console if it
   * has none.
   * @throws ApiError `storage_unavailable` if the browser's reply cannot be stored.
   */
  async findBrowserModel(): Promise<boolean> {
    const { detectBrowserModel } = await import('./engine/serve-browser-model.ts');
    return detectBrowserModel();
  }

  storage(): Promise<StorageReport> {
    return this.#tabserve.call('models/storage', null);
  }

  /** Cross-origin requests that the engine worker has sent to download models. */
  outsideRequests(): Promise<readonly OutsideRequest[]> {
    return this.#tabserve.call('models/outside-requests', null);
  }

  /** Loads a model into the engine. It replaces the loaded model of the same kind (chat or embedding). */
  load(id: string): Promise<void> {
    return this.#tabserve.load(id);
  }

  /** Unloads all models from the engine. The next request loads its model again. */
  async unload(): Promise<void> {
    await this.#tabserve.call('models/unload', null);
  }

  /**
   * Calls `listener` with the progress of downloads and with changes of the list, also those that other pages caused.
   * @returns a function that stops watching.
   */
  watch(listener: (event: ModelEvent) => void): () => void {
    const channel = new BroadcastChannel(MODEL_EVENTS_CHANNEL);
    channel.addEventListener('message', ({ data }: MessageEvent<ModelEvent>) => listener(data));
    return () => channel.close();
  }
}
