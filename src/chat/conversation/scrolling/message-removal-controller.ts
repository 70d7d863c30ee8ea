import { noChange, nothing, type ReactiveController, type ReactiveControllerHost } from 'lit';
import { repeat } from 'lit/directives/repeat.js';

/** Number of messages that are removed per step. A larger number would block the page. */
const AT_ONCE = 24;

/**
 * Removes the messages of a long conversation in steps, after another conversation is shown. The host must hide
 * elements of the class `leaving` and exclude them from layout.
 */
export class MessageRemovalController implements ReactiveController {
  readonly #host: ReactiveControllerHost & Element;
  /** Key of the open conversation. */
  #open = 0;
  /** Keys of the conversations that are still being removed. */
  #leaving: readonly number[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Called when all messages are removed; null unless {@link leave} was called. */
  #gone: (() => void) | null = null;

  constructor(host: ReactiveControllerHost & Element) {
    this.#host = host;
    host.addController(this);
  }

  /** Call it before the first render of another conversation. */
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
   * Call it before the host is removed. From then on the host renders no messages.
   * @returns Resolves when all messages are removed; null if there are so few that the host can be removed immediately.
   */
  leave(): Promise<void> | null {
    this.open();
    if (this.#leaving.length === 0) return null;
    return new Promise((resolve) => (this.#gone = resolve));
  }

  /** Renders the open conversation, and keeps those that are still being removed without rendering them again. */
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
