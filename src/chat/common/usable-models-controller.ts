import type { ReactiveController, ReactiveControllerHost } from 'lit';
import { listModels, type ListedModel } from '../api/list-models.ts';
import type { Tabserve } from '../../page/index.ts';

/** The models that can answer, read anew whenever the page comes to the front or the engine changes. */
export class UsableModelsController implements ReactiveController {
  /** Empty until the endpoint has answered for the first time. */
  models: readonly ListedModel[] = [];
  readonly #host: ReactiveControllerHost;
  readonly #tabserve: () => Tabserve | undefined;
  #watched: Tabserve | undefined;
  #abort = new AbortController();

  constructor(host: ReactiveControllerHost, tabserve: () => Tabserve | undefined) {
    this.#host = host;
    this.#tabserve = tabserve;
    host.addController(this);
  }

  hostConnected(): void {
    addEventListener('focus', this.#read);
    this.#read();
  }

  hostUpdate(): void {
    const tabserve = this.#tabserve();
    if (tabserve === this.#watched) return;
    this.#watched?.removeEventListener('statuschange', this.#read);
    this.#watched = tabserve;
    tabserve?.addEventListener('statuschange', this.#read);
    this.#read();
  }

  hostDisconnected(): void {
    removeEventListener('focus', this.#read);
    this.#watched?.removeEventListener('statuschange', this.#read);
    this.#watched = undefined;
    this.#abort.abort();
  }

  readonly #read = (): void => {
    const tabserve = this.#tabserve();
    // While a model loads the status changes many times a second, and the list does not.
    if (tabserve === undefined || tabserve.status.state === 'loading') return;
    this.#abort.abort();
    const abort = (this.#abort = new AbortController());
    void this.#list(tabserve, abort.signal);
  };

  async #list(tabserve: Tabserve, signal: AbortSignal): Promise<void> {
    await tabserve.ready;
    if (signal.aborted) return;
    try {
      const models = await listModels(signal);
      if (signal.aborted) return;
      this.models = models;
      this.#host.requestUpdate();
    } catch (error) {
      if (!signal.aborted) console.error('The models could not be listed.', error);
    }
  }
}
