import type { ReactiveController, ReactiveControllerHost } from 'lit';
import type { Tabserve } from '../../page/index.ts';
import { ModelManager } from '../../page/model-manager.ts';
import type { DownloadProgress, ModelListing, StorageReport } from '../../shared/model-management.ts';

/** Keeps a component in step with the models of this device, whichever tab changes them. */
export class ModelLibraryController implements ReactiveController {
  /** Undefined until the first list has come. */
  models: readonly ModelListing[] | undefined;
  storage: StorageReport | undefined;
  /** Why there is no list; null while all is well. */
  error: string | null = null;
  manager: ModelManager | undefined;
  readonly #host: ReactiveControllerHost;
  readonly #tabserve: () => Tabserve | undefined;
  readonly #arrived: (id: string) => void;
  #end: (() => void) | undefined;
  #readings = 0;
  #watched: Tabserve | undefined;
  /** A load fills the caches, so what is on the device may have changed with the state. */
  readonly #stateChanged = (): void => {
    if (this.#watched?.status.state !== 'loading') void this.refresh();
  };

  /** @param arrived Called when a download has become a model. */
  constructor(
    host: ReactiveControllerHost,
    tabserve: () => Tabserve | undefined,
    arrived: (id: string) => void = () => {},
  ) {
    this.#host = host;
    this.#tabserve = tabserve;
    this.#arrived = arrived;
    host.addController(this);
  }

  hostConnected(): void {
    this.#host.requestUpdate();
  }

  hostUpdate(): void {
    const tabserve = this.#tabserve();
    if (tabserve === undefined || this.#end !== undefined) return;
    this.manager = new ModelManager(tabserve);
    this.#end = this.manager.watch((event) => {
      if (event.type === 'changed') void this.refresh();
      else this.#progress(event.progress);
    });
    this.#watched = tabserve;
    tabserve.addEventListener('statuschange', this.#stateChanged);
    void this.refresh();
  }

  hostDisconnected(): void {
    this.#end?.();
    this.#end = undefined;
    this.#watched?.removeEventListener('statuschange', this.#stateChanged);
    this.#watched = undefined;
  }

  async refresh(): Promise<void> {
    const reading = ++this.#readings;
    const { manager } = this;
    if (manager === undefined) return;
    try {
      const [models, storage] = await Promise.all([manager.list(), manager.storage()]);
      if (reading !== this.#readings) return;
      this.#announceArrivals(models);
      this.models = models;
      this.storage = storage;
      this.error = null;
    } catch (thrown) {
      if (reading !== this.#readings) return;
      this.error = thrown instanceof Error ? thrown.message : String(thrown);
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
