import {
  MODEL_EVENTS_CHANNEL,
  type CustomModel,
  type ModelEvent,
  type ModelListing,
  type StorageReport,
} from '../shared/models/model-management.ts';
import type { OutsideRequest } from '../shared/security/outside-requests.ts';
import type { Tabserve } from './tabserve.ts';

/**
 * What a page can do with models: a view of the engine worker's `models/…` calls. Downloads run in
 * the engine worker, so they go on when this page moves on, and every page sees them.
 *
 * Every method throws an ApiError: `model_not_found`, `invalid_value` for what was typed in, or
 * `engine_unavailable`.
 */
export class ModelManager {
  readonly #tabserve: Tabserve;

  constructor(tabserve: Tabserve) {
    this.#tabserve = tabserve;
  }

  /** Every model this device has or could have. The built-in one comes first. */
  list(): Promise<readonly ModelListing[]> {
    return this.#tabserve.call('models/list', null);
  }

  /** Asks the model's server how large the download is; bytes. */
  size(id: string): Promise<number> {
    return this.#tabserve.call('models/size', { id });
  }

  /** Starts a download, goes on with a stopped one, or fetches what is missing of a damaged model. */
  async download(id: string): Promise<void> {
    await this.#tabserve.call('models/download', { id });
  }

  async pause(id: string): Promise<void> {
    await this.#tabserve.call('models/pause', { id });
  }

  /** Ends a download and deletes what it had fetched. */
  async cancel(id: string): Promise<void> {
    await this.#tabserve.call('models/cancel', { id });
  }

  /** Deletes a model from this device, unloading it first. */
  async delete(id: string): Promise<void> {
    await this.#tabserve.call('models/delete', { id });
  }

  /** Starts the download of a model that no catalogue knows. */
  async addCustom(model: CustomModel): Promise<void> {
    await this.#tabserve.call('models/add-custom', model);
  }

  storage(): Promise<StorageReport> {
    return this.#tabserve.call('models/storage', null);
  }

  /** The requests of the engine worker that left this origin: downloads of models. */
  outsideRequests(): Promise<readonly OutsideRequest[]> {
    return this.#tabserve.call('models/outside-requests', null);
  }

  /** Loads a model onto the GPU, replacing any other. */
  load(id: string): Promise<void> {
    return this.#tabserve.load(id);
  }

  /** Frees the GPU. The next request loads its model again. */
  async unload(): Promise<void> {
    await this.#tabserve.call('models/unload', null);
  }

  /**
   * Hears of every download's progress and of every change of the list, whichever page caused it.
   * @returns a function that ends it.
   */
  watch(listener: (event: ModelEvent) => void): () => void {
    const channel = new BroadcastChannel(MODEL_EVENTS_CHANNEL);
    channel.addEventListener('message', ({ data }: MessageEvent<ModelEvent>) => listener(data));
    return () => channel.close();
  }
}
