import type { ReactiveController, ReactiveControllerHost } from 'lit';
import type { PageStatus, Tabserve } from '../../page/index.ts';
import { fromContext, tabserveContext } from './contexts.ts';

interface Reactions {
  /** Called when the host connects. A returned function is called when it disconnects. */
  readonly connected?: (tabserve: Tabserve) => (() => void) | void;
  /** Called when the state or its model changes, not for the progress of loading or the statistics of the prompt cache. */
  readonly statusChanged?: (status: PageStatus) => void;
}

/** The endpoint of this page. Updates its host when the status changes. */
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
    const before = this.#before;
    this.#before = status;
    if (before?.state !== status.state || modelOf(before) !== modelOf(status)) this.#reactions.statusChanged?.(status);
  };
}

function modelOf(status: PageStatus): string | null {
  return 'model' in status ? status.model : null;
}
