import type { ReactiveController, ReactiveControllerHost } from 'lit';
import type { PageStatus, Tabserve } from '../../page/index.ts';
import { fromContext, tabserveContext } from './contexts.ts';

interface Reactions {
  /** The host is on the page. The function that is returned, if one is, is called when the host leaves it. */
  readonly connected?: (tabserve: Tabserve) => (() => void) | void;
  /**
   * The status is another one than before. While a model loads that happens many times a second; that an answer has
   * changed how much of the prompts was cached is left out.
   */
  readonly statusChanged?: (status: PageStatus) => void;
}

/** The endpoint of this page; renders its host anew whenever the endpoint's status changes. */
export class TabserveController implements ReactiveController {
  readonly #host: ReactiveControllerHost;
  readonly #tabserve: () => Tabserve;
  readonly #reactions: Reactions;
  #disconnect: () => void = () => {};
  #before: PageStatus | undefined;

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
    this.#before = tabserve.status;
    tabserve.addEventListener('statuschange', this.#changed);
    const end = this.#reactions.connected?.(tabserve);
    this.#disconnect = () => {
      tabserve.removeEventListener('statuschange', this.#changed);
      end?.();
    };
    this.#host.requestUpdate();
  }

  hostDisconnected(): void {
    this.#disconnect();
  }

  readonly #changed = (): void => {
    this.#host.requestUpdate();
    const { status } = this;
    const isAsBefore = isReadyWithSame(this.#before, status);
    this.#before = status;
    if (!isAsBefore) this.#reactions.statusChanged?.(status);
  };
}

function isReadyWithSame(one: PageStatus | undefined, other: PageStatus): boolean {
  return one?.state === 'ready' && other.state === 'ready' && one.model === other.model;
}
