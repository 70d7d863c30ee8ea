import type { ReactiveController, ReactiveControllerHost } from 'lit';
import { listUpstreams, watchUpstreams, type UpstreamState } from '../../page/index.ts';

/**
 * The upstreams of the site: servers to which it can forward requests. Reads the list again when a permission changes
 * or a request is sent, in any tab.
 */
export class UpstreamsController implements ReactiveController {
  /** Empty until the service worker has answered, and if the site has no upstreams. */
  upstreams: readonly UpstreamState[] = [];
  readonly #host: ReactiveControllerHost;
  readonly #changed: () => void;
  #unwatch: () => void = () => {};

  /**
   * Adds this controller to `host`.
   * @param changed Called after each read.
   */
  constructor(host: ReactiveControllerHost & HTMLElement, changed: () => void = () => {}) {
    this.#host = host;
    this.#changed = changed;
    host.addController(this);
  }

  hostConnected(): void {
    const unwatch = watchUpstreams(this.#read);
    // On a first visit no service worker controls the page yet, and a newer build may have other upstreams.
    const { serviceWorker } = navigator;
    serviceWorker?.addEventListener('controllerchange', this.#read);
    this.#unwatch = () => {
      unwatch();
      serviceWorker?.removeEventListener('controllerchange', this.#read);
    };
    this.#read();
  }

  hostDisconnected(): void {
    this.#unwatch();
  }

  readonly #read = (): void => void this.#list();

  async #list(): Promise<void> {
    try {
      this.upstreams = await listUpstreams();
      this.#host.requestUpdate();
      this.#changed();
    } catch (error) {
      console.error('The upstreams could not be listed.', error);
    }
  }
}
