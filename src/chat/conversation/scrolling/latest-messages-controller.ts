import type { ReactiveController, ReactiveControllerHost } from 'lit';
import { listenToWindow } from '../../common/listen-to-window.ts';
import type { Message } from '../../types/conversation.ts';

/** Messages that are put on the page at once; more of them would keep it from doing anything else. */
const AT_ONCE = 12;

/** Milliseconds between two such steps, in which those that are there are drawn. */
const PAUSE = 30;

/** Puts the end of a long conversation on the page first, and then what is above it, step by step. */
export class LatestMessagesController implements ReactiveController {
  readonly #host: ReactiveControllerHost;
  #conversation: string | undefined;
  /** How many of the first messages are not on the page yet. */
  #missing = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  readonly #mayGoOn: () => boolean;

  /** @param mayGoOn Whether what is above the end may come; asked whenever the host has been rendered. Default: it may. */
  constructor(host: ReactiveControllerHost, mayGoOn: () => boolean = () => true) {
    this.#host = host;
    this.#mayGoOn = mayGoOn;
    host.addController(this);
    // Paper has all of it.
    listenToWindow(host, 'beforeprint', () => this.#show(0));
  }

  /**
   * What of a path is to be on the page. To be asked whenever it is rendered.
   * @param wanted Id of a message that has to be there at once.
   */
  of(path: readonly Message[], wanted: string | undefined): readonly Message[] {
    const place = path.findIndex(({ id }) => id === wanted);
    const isOther = path[0]?.conversation !== this.#conversation;
    this.#conversation = path[0]?.conversation;
    const most = Math.max(0, path.length - AT_ONCE);
    this.#missing = Math.min(isOther ? most : this.#missing, most, place < 0 ? Infinity : place);
    return path.slice(this.#missing);
  }

  hostUpdated(): void {
    if (this.#missing > 0 && this.#mayGoOn())
      this.#timer ??= setTimeout(() => this.#show(this.#missing - AT_ONCE), PAUSE);
  }

  hostDisconnected(): void {
    this.#conversation = undefined;
  }

  #show(missing: number): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#missing = Math.max(0, missing);
    this.#host.requestUpdate();
  }
}
