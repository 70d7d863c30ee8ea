import { noChange, type LitElement } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import type { ConversationView } from '../conversation/conversation-view.ts';

/** Keeps a long chat that is left for another screen out of sight until its messages have been taken from the page step by step. */
export class LeavingChatController {
  readonly #host: LitElement;
  /** Number of the screen that is shown, and those of the chats that are not gone yet. */
  #shown = 0;
  #leaving: readonly number[] = [];

  constructor(host: LitElement) {
    this.#host = host;
  }

  /** To be called before another screen takes the place of a chat. */
  leave(): void {
    const view = this.#host.renderRoot.querySelector<ConversationView>('conversation-view:not([inert])');
    const gone = view?.leave();
    if (!view || !gone) return;
    view.inert = true;
    // To take it out of the layout would cost as much as to take it from the page.
    Object.assign(view.style, { position: 'absolute', height: '0', contentVisibility: 'hidden' });
    this.#leaving = [...this.#leaving, this.#shown];
    void this.#removeWhen(gone, this.#shown);
    this.#shown += 1;
  }

  /** The screen that is shown, beside what is still there of others: that is not rendered any more. */
  beside(screen: unknown): unknown {
    return repeat(
      [...this.#leaving, this.#shown],
      (number) => number,
      (number) => (number === this.#shown ? screen : noChange),
    );
  }

  async #removeWhen(gone: Promise<void>, left: number): Promise<void> {
    await gone;
    this.#leaving = this.#leaving.filter((number) => number !== left);
    this.#host.requestUpdate();
  }
}
