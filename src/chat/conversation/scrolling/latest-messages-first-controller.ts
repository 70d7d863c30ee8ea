import type { ReactiveController, ReactiveControllerHost } from 'lit';
import { typingTime } from '../../browser/typing-time.ts';
import { listenToWindow } from '../../common/listen-to-window.ts';
import type { Message } from '../../types/conversation.ts';
import { renderNow } from './render-now.ts';

/** Number of messages that are added in the first step. A larger number would block the page. */
const AT_ONCE = 12;

/**
 * One more message is added per step for each of these that are shown: each step costs the browser a layout of all of
 * them, so that equal steps would take a time that grows with the square of a chat's length.
 */
const PER_SHOWN = 150;

/** Milliseconds between two steps, in which the browser can draw. */
const PAUSE = 30;

/** Milliseconds between two steps while an answer grows, which needs the page's thread. */
const BUSY_PAUSE = 1000;

/** Renders the end of a long conversation first, then the older messages in steps, which pause while the user types. */
export class LatestMessagesFirstController implements ReactiveController {
  readonly #host: ReactiveControllerHost & Element;
  #conversation: string | undefined;
  /** Number of older messages that are not rendered yet. */
  #missing = 0;
  /** Number of messages that are rendered. */
  #shown = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  readonly #mayGoOn: () => boolean;
  readonly #isBusy: () => boolean;

  /**
   * Adds this controller to `host`.
   * @param mayGoOn Called after each render. Returns whether older messages may be added now. Default: always.
   * @param isBusy Called after each render. Returns whether messages are to be added rarely. Default: never.
   */
  constructor(
    host: ReactiveControllerHost & Element,
    mayGoOn: () => boolean = () => true,
    isBusy: () => boolean = () => false,
  ) {
    this.#host = host;
    this.#mayGoOn = mayGoOn;
    this.#isBusy = isBusy;
    host.addController(this);
    // Printing needs all messages. `print()` takes the page as it is when this event ends, before any promise
    // continues.
    listenToWindow(host, 'beforeprint', () => {
      this.#show(0);
      renderNow(host);
    });
  }

  /**
   * The messages to render. Call it on each render.
   * @param wanted Id of a message that must be included.
   */
  of(path: readonly Message[], wanted: string | undefined): readonly Message[] {
    const place = path.findIndex(({ id }) => id === wanted);
    const isOther = path[0]?.conversation !== this.#conversation;
    this.#conversation = path[0]?.conversation;
    const most = Math.max(0, path.length - AT_ONCE);
    this.#missing = Math.min(isOther ? most : this.#missing, most, place < 0 ? Infinity : place);
    this.#shown = path.length - this.#missing;
    return path.slice(this.#missing);
  }

  hostUpdated(): void {
    if (this.#missing === 0 || !this.#mayGoOn()) return;
    this.#timer ??= setTimeout(this.#showMore, this.#isBusy() ? BUSY_PAUSE : PAUSE);
  }

  hostDisconnected(): void {
    this.#conversation = undefined;
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  readonly #showMore = (): void => {
    const typing = typingTime();
    if (typing > 0) this.#timer = setTimeout(this.#showMore, typing);
    else this.#show(this.#missing - AT_ONCE - Math.floor(this.#shown / PER_SHOWN));
  };

  #show(missing: number): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#missing = Math.max(0, missing);
    this.#host.requestUpdate();
  }
}
