import type { ReactiveController, ReactiveControllerHost } from 'lit';
import type { AnswerRunner } from '../answers/answer-runner.ts';
import { answersContext, fromContext, storeContext } from '../common/contexts.ts';
import type { ConversationStore } from '../storage/conversation-store.ts';
import type { Conversation } from '../storage/conversation.ts';

/** The conversations on this device, newest first, as far as they contain what is searched for. */
export class ConversationListController implements ReactiveController {
  conversations: readonly Conversation[] = [];
  state: 'opening' | 'open' | 'unreadable' = 'opening';
  readonly #host: ReactiveControllerHost;
  readonly #store: () => ConversationStore;
  readonly #answers: () => AnswerRunner;
  #words = '';
  #reads = 0;
  #unsubscribe: () => void = () => {};

  constructor(host: ReactiveControllerHost & HTMLElement) {
    this.#host = host;
    this.#store = fromContext(host, storeContext);
    this.#answers = fromContext(host, answersContext);
    host.addController(this);
  }

  get words(): string {
    return this.#words;
  }

  /** Shows only conversations whose title or messages contain `words`; empty shows all. */
  search(words: string): void {
    this.#words = words.trim();
    void this.#read();
  }

  hostConnected(): void {
    this.#unsubscribe = this.#store().subscribe(() => void this.#read());
    this.#answers().addEventListener('change', this.#update);
    void this.#read();
  }

  hostDisconnected(): void {
    this.#unsubscribe();
    this.#answers().removeEventListener('change', this.#update);
  }

  async #read(): Promise<void> {
    const read = (this.#reads += 1);
    const words = this.#words;
    try {
      const [all, containing] = await Promise.all([
        this.#store().conversations(),
        words === '' ? undefined : this.#store().containing(words),
      ]);
      // A later search has begun meanwhile.
      if (read !== this.#reads) return;
      const sought = words.toLocaleLowerCase();
      this.conversations = all
        .filter(
          ({ id, title }) =>
            containing === undefined || containing.has(id) || title.toLocaleLowerCase().includes(sought),
        )
        .toSorted((a, b) => b.updated - a.updated);
      this.state = 'open';
    } catch (error) {
      console.error(error);
      this.state = 'unreadable';
    }
    this.#update();
  }

  readonly #update = (): void => this.#host.requestUpdate();
}
