import type { ReactiveController, ReactiveControllerHost } from 'lit';
import { listUpstreams, watchUpstreams, type UpstreamState } from '../../page/index.ts';

/** The upstreams that the site has named, read anew whenever the person allows one or a request was sent, in whichever tab. */
export class UpstreamsController implements ReactiveController {
  /** Empty until the service worker has answered, and where it knows none. */
  upstreams: readonly UpstreamState[] = [];
  readonly #host: ReactiveControllerHost;
  readonly #changed: () => void;
  #unwatch: () => void = () => {};

  /** @param changed Called when they have been read, and again whenever they have changed. */
  constructor(host: ReactiveControllerHost & HTMLElement, changed: () => void = () => {}) {
    this.#host = host;
    this.#changed = changed;
    host.addController(this);
  }

  hostConnected(): void {
    const unwatch = watchUpstreams(this.#read);
    // On a first visit nobody could be asked yet, and a newer build may know others.
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
      if (this.upstreams.length > 0) this.#changed();
    } catch (error) {
      console.error('The upstreams could not be listed.', error);
    }
  }
}
