import type { ReactiveController, ReactiveControllerHost } from 'lit';
import { withNamesOfImages } from '../api/message-content.ts';
import type { Message } from '../types/conversation.ts';
import { listModels, seesImages, canChat, type ListedModel } from '../api/list-models.ts';
import { watchUpstreams } from '../../shared/upstreams/watch-upstreams.ts';
import { reuseUnchanged } from '../storage/reuse-unchanged.ts';
import { hasTemporaryChat } from '../storage/has-temporary-chat.ts';
import { listenToWindow } from './listen-to-window.ts';
import { serviceWorkerInCharge } from '../browser/service-worker-in-charge.ts';
import { TabserveController } from './tabserve-controller.ts';

/**
 * The models that can be used without a download. The list is read again when the page gets the focus, the engine
 * stops or has loaded a model that is not in the list, or an upstream is allowed.
 */
export class UsableModelsController implements ReactiveController {
  /** Empty until the endpoint has answered. */
  models: readonly ListedModel[] = [];
  readonly #host: ReactiveControllerHost;
  readonly #endpoint: TabserveController;
  #unwatch: () => void = () => {};
  #abort = new AbortController();

  constructor(host: ReactiveControllerHost & HTMLElement) {
    this.#host = host;
    this.#endpoint = new TabserveController(host, { connected: this.#read, statusChanged: this.#statusChanged });
    listenToWindow(host, 'focus', this.#read);
    host.addController(this);
  }

  get chatModels(): readonly ListedModel[] {
    return this.models.filter(canChat);
  }

  /** Returns the messages as a model receives them: for models that accept no images, names replace the images. */
  messagesFor(id: string, path: readonly Message[]): readonly Message[] {
    const model = this.models.find((model) => model.id === id);
    return model === undefined || seesImages(model) ? path : withNamesOfImages(path);
  }

  hostConnected(): void {
    this.#unwatch = watchUpstreams((what) => what === 'permissions' && this.#read());
  }

  hostDisconnected(): void {
    this.#unwatch();
    this.#abort.abort();
  }

  readonly #statusChanged = (): void => {
    const { status } = this.#endpoint;
    const isListed = status.state === 'ready' && this.models.some(({ id }) => id === status.model);
    if (status.state !== 'loading' && !isListed) this.#read();
  };

  readonly #read = (): void => {
    this.#abort.abort();
    const { signal } = (this.#abort = new AbortController());
    void serviceWorkerInCharge().then(() => this.#list(signal));
  };

  async #list(signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    try {
      const models = await listModels(signal, hasTemporaryChat());
      if (signal.aborted) return;
      this.models = reuseUnchanged(this.models, models);
      this.#host.requestUpdate();
    } catch (error) {
      if (!signal.aborted) console.error('The models could not be listed.', error);
    }
  }
}
