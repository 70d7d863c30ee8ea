import type { ReactiveController, ReactiveControllerHost } from 'lit';
import { RouteController, type FoundPlace } from '../../common/route.ts';
import type { Message } from '../../types/conversation.ts';
import type { ConversationController } from '../conversation-controller.ts';
import type { StayAtEndController } from './stay-at-end-controller.ts';

type FoundMessageHost = ReactiveControllerHost & HTMLElement & { readonly conversationId: string | null };

/** Scrolls to the message that a search found, on any branch, once the conversation is loaded. */
export class FoundMessageController implements ReactiveController {
  readonly #host: FoundMessageHost;
  readonly #chat: ConversationController;
  readonly #end: StayAtEndController;
  readonly #route: RouteController;
  /** The last search result that was shown, so that later updates do not scroll to it again. */
  #shown: FoundPlace | null = null;
  #search = new AbortController();

  constructor(host: FoundMessageHost, chat: ConversationController, end: StayAtEndController) {
    this.#host = host;
    this.#chat = chat;
    this.#end = end;
    this.#route = new RouteController(host);
    host.addController(this);
  }

  /** The search result to scroll to instead of the end; null if the conversation was not opened from a search. */
  get place(): FoundPlace | null {
    const { route } = this.#route;
    const isHere = route.view === 'chat' && route.conversation === this.#host.conversationId;
    return isHere ? (route.found ?? null) : null;
  }

  hostUpdated(): void {
    const { place } = this;
    if (place === this.#shown) return;
    this.#search.abort();
    // The conversation is not loaded yet.
    if (place !== null && this.#chat.path.length === 0) return;
    this.#shown = place;
    const { signal } = (this.#search = new AbortController());
    // The conversation stays usable if this fails.
    void this.#show(place, signal).catch((error: unknown) => console.error(error));
  }

  hostDisconnected(): void {
    this.#search.abort();
    this.#shown = null;
  }

  /** Whether a message is on the current branch, or shown beside an answer there for comparison. */
  #isShown({ id }: Message): boolean {
    const { path, tree } = this.#chat;
    return path.some(
      (shown) => shown.id === id || (shown.role === 'assistant' && tree.compared(shown).some((one) => one.id === id)),
    );
  }

  async #show(place: FoundPlace | null, signal: AbortSignal): Promise<void> {
    const message = place === null ? undefined : this.#chat.tree.get(place.message);
    if (place === null || message === undefined) return;
    const { showFound } = await import('./show-found.ts');
    if (!this.#isShown(message)) await this.#chat.showBranch(message);
    await this.#host.updateComplete;
    this.#end.leave();
    if (this.#host.shadowRoot !== null) await showFound(this.#host.shadowRoot, place, signal);
  }
}
