import type { ReactiveController, ReactiveControllerHost } from 'lit';
import { RouteController, type FoundPlace } from '../../common/route.ts';
import type { Message } from '../../types/conversation.ts';
import type { ConversationController } from '../conversation-controller.ts';
import type { StayAtEndController } from './stay-at-end-controller.ts';

type FoundMessageHost = ReactiveControllerHost & HTMLElement & { readonly conversationId: string | null };

/** Shows the message that a search has found, on whichever branch it is, once the conversation has been read. */
export class FoundMessageController implements ReactiveController {
  readonly #host: FoundMessageHost;
  readonly #chat: ConversationController;
  readonly #end: StayAtEndController;
  readonly #route: RouteController;
  /** What was shown last, so that nobody is taken back there by what changes later. */
  #shown: FoundPlace | null = null;
  #search = new AbortController();

  constructor(host: FoundMessageHost, chat: ConversationController, end: StayAtEndController) {
    this.#host = host;
    this.#chat = chat;
    this.#end = end;
    this.#route = new RouteController(host);
    host.addController(this);
  }

  /** What is to be shown instead of the conversation's end; null for nothing. */
  get place(): FoundPlace | null {
    const { route } = this.#route;
    const isHere = route.view === 'chat' && route.conversation === this.#host.conversationId;
    return isHere ? (route.found ?? null) : null;
  }

  hostUpdated(): void {
    const { place } = this;
    if (place === this.#shown) return;
    this.#search.abort();
    // Until it has been read.
    if (place !== null && this.#chat.path.length === 0) return;
    this.#shown = place;
    const { signal } = (this.#search = new AbortController());
    // A conversation can be read without it.
    void this.#show(place, signal).catch((error: unknown) => console.error(error));
  }

  hostDisconnected(): void {
    this.#search.abort();
    this.#shown = null;
  }

  /** On the branch of the chat, or beside an answer of it. */
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
