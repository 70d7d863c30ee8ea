import { noChange, type LitElement } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import type { ConversationView } from '../conversation/conversation-view.ts';

/**
 * Hides a long chat when the user leaves it for another screen, until its messages have been removed from the page in
 * steps. Removing them together would block the page.
 */
export class LeavingChatController {
  readonly #host: LitElement;
  /** Key of the current screen in Lit's `repeat`. */
  #shown = 0;
  /** Keys of the chats that are still being removed. */
  #leaving: readonly number[] = [];

  constructor(host: LitElement) {
    this.#host = host;
  }

  /** Call it before another screen replaces a chat. */
  leave(): void {
    const view = this.#host.renderRoot.querySelector<ConversationView>('conversation-view:not([inert])');
    const gone = view?.leave();
    if (!view || !gone) return;
    view.inert = true;
    // `display: none` would take as long as removing the whole chat.
    Object.assign(view.style, { position: 'absolute', height: '0', contentVisibility: 'hidden' });
    this.#leaving = [...this.#leaving, this.#shown];
    void this.#removeWhen(gone, this.#shown);
    this.#shown += 1;
  }

  /** Renders the current screen, and keeps the chats that are still being removed without rendering them again. */
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
