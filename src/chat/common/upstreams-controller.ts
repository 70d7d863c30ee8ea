import type { ReactiveController, ReactiveControllerHost } from 'lit';
import { listUpstreams, watchUpstreams, type UpstreamState } from '../../page/index.ts';

/** The upstreams that the site has named, read anew whenever the person allows one, in whichever tab, or one was asked. */
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
    this.#unwatch = watchUpstreams(this.#read);
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
