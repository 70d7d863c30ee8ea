import type { ReactiveControllerHost } from 'lit';
import { ModelManager } from '../../page/model-manager.ts';
import type { DownloadProgress, ModelListing, StorageReport } from '../../shared/models/model-management.ts';
import { TabserveController } from '../common/tabserve-controller.ts';
import { errorInPageLanguage } from '../strings/engine-sentences.ts';

/** Keeps a component in sync with the models of this device, even if another tab changes them. */
export class DeviceModelsController {
  /** Undefined until the list has been read. */
  models: readonly ModelListing[] | undefined;
  storage: StorageReport | undefined;
  /** Why the list could not be read; null otherwise. */
  error: string | null = null;
  readonly #host: ReactiveControllerHost;
  readonly #arrived: (id: string) => void;
  readonly #endpoint: TabserveController;
  #manager: ModelManager | undefined;
  #readings = 0;

  /**
   * Adds this controller to `host`.
   * @param arrived Called when a download is complete.
   */
  constructor(host: ReactiveControllerHost & HTMLElement, arrived: (id: string) => void = () => {}) {
    this.#host = host;
    this.#arrived = arrived;
    this.#endpoint = new TabserveController(host, {
      connected: () => this.#watch(),
      // Loading a model stores its files, which may change the list.
      statusChanged: ({ state }) => void (state !== 'loading' && this.refresh()),
    });
  }

  get manager(): ModelManager {
    return (this.#manager ??= new ModelManager(this.#endpoint.tabserve));
  }

  #watch(): () => void {
    void this.refresh();
    return this.manager.watch((event) => {
      if (event.type === 'changed') void this.refresh();
      else this.#progress(event.progress);
    });
  }

  async refresh(): Promise<void> {
    const reading = ++this.#readings;
    const { manager } = this;
    try {
      const [models, storage] = await Promise.all([manager.list(), manager.storage()]);
      if (reading !== this.#readings) return;
      this.#announceArrivals(models);
      this.models = models;
      this.storage = storage;
      this.error = null;
    } catch (thrown) {
      if (reading !== this.#readings) return;
      this.error = errorInPageLanguage(thrown);
    }
    this.#host.requestUpdate();
  }

  #announceArrivals(models: readonly ModelListing[]): void {
    for (const { id, state } of models) {
      const before = this.models?.find((model) => model.id === id)?.state;
      if (before?.kind === 'download' && state.kind === 'present') this.#arrived(id);
    }
  }

  #progress(progress: DownloadProgress): void {
    this.models = this.models?.map((model) =>
      model.id === progress.id ? { ...model, state: { kind: 'download', progress } } : model,
    );
    this.#host.requestUpdate();
  }
}
