import type { ReactiveController, ReactiveControllerHost } from 'lit';
import type { PageStatus, Tabserve } from '../../page/index.ts';
import { fromContext, tabserveContext } from './contexts.ts';

interface Reactions {
  /** The host is on the page. The function that is returned, if one is, is called when the host leaves it. */
  readonly connected?: (tabserve: Tabserve) => (() => void) | void;
  /** The status is another one than before. While a model loads that happens many times a second. */
  readonly statusChanged?: (status: PageStatus) => void;
}

/** The endpoint of this page; renders its host anew whenever the endpoint's status changes. */
export class TabserveController implements ReactiveController {
  readonly #host: ReactiveControllerHost;
  readonly #tabserve: () => Tabserve;
  readonly #reactions: Reactions;
  #disconnect: () => void = () => {};

  constructor(host: ReactiveControllerHost & HTMLElement, reactions: Reactions = {}) {
    this.#host = host;
    this.#tabserve = fromContext(host, tabserveContext);
    this.#reactions = reactions;
    host.addController(this);
  }

  get tabserve(): Tabserve {
    return this.#tabserve();
  }

  get status(): PageStatus {
    return this.tabserve.status;
  }

  hostConnected(): void {
    const { tabserve } = this;
    tabserve.addEventListener('statuschange', this.#changed);
    tabserve.addEventListener('updateavailable', this.#changed);
    const end = this.#reactions.connected?.(tabserve);
    this.#disconnect = () => {
      tabserve.removeEventListener('statuschange', this.#changed);
      tabserve.removeEventListener('updateavailable', this.#changed);
      end?.();
    };
    this.#host.requestUpdate();
  }

  hostDisconnected(): void {
    this.#disconnect();
  }

  readonly #changed = ({ type }: Event): void => {
    this.#host.requestUpdate();
    if (type === 'statuschange') this.#reactions.statusChanged?.(this.status);
  };
}
