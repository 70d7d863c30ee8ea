import { noChange, nothing, type ReactiveController, type ReactiveControllerHost } from 'lit';
import { repeat } from 'lit/directives/repeat.js';

/** Messages that are taken from the page at once; more of them would keep it from doing anything else. */
const AT_ONCE = 24;

/**
 * Takes the messages of a long conversation that is left from the page step by step, while the next one is there already. For
 * its host: nothing of `.leaving` is to be seen or laid out.
 */
export class LeavingMessagesController implements ReactiveController {
  readonly #host: ReactiveControllerHost & Element;
  /** Number of the conversation that is open, and those of others that are not gone yet. */
  #open = 0;
  #leaving: readonly number[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Called when all is gone, of a host that is left itself. */
  #gone: (() => void) | null = null;

  constructor(host: ReactiveControllerHost & Element) {
    this.#host = host;
    host.addController(this);
  }

  /** To be called when another conversation is opened, before anything of it is rendered. */
  open(): void {
    const messages = this.#host.shadowRoot?.querySelector('.messages:not(.leaving)');
    if (messages && messages.childElementCount > AT_ONCE) {
      messages.classList.add('leaving');
      messages.ariaHidden = 'true';
      this.#leaving = [...this.#leaving, this.#open];
      this.#timer ??= setTimeout(this.#remove);
    }
    this.#open += 1;
  }

  /**
   * To be called before the host is left for another screen: from then on it renders no message.
   * @returns Settles when there is none any more; null where they are so few that the host may go at once.
   */
  leave(): Promise<void> | null {
    this.open();
    if (this.#leaving.length === 0) return null;
    return new Promise((resolve) => (this.#gone = resolve));
  }

  /** What the open conversation shows, beside what is still there of others: that is not rendered any more. */
  beside(content: unknown): unknown {
    return repeat(
      [...this.#leaving, this.#open],
      (number) => number,
      (number) => (number !== this.#open ? noChange : this.#gone ? nothing : content),
    );
  }

  hostDisconnected(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#leaving = [];
  }

  readonly #remove = (): void => {
    const messages = this.#host.shadowRoot?.querySelector('.leaving');
    for (let count = 0; count < AT_ONCE; count += 1) messages?.lastElementChild?.remove();
    this.#timer = undefined;
    if (!messages?.childElementCount) {
      this.#leaving = this.#leaving.slice(1);
      this.#host.requestUpdate();
    }
    if (this.#leaving.length > 0) this.#timer = setTimeout(this.#remove);
    else this.#gone?.();
  };
}
