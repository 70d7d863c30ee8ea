import type { ReactiveController, ReactiveControllerHost } from 'lit';
import type { AnswerRunner } from '../answers/answer-runner.ts';
import { answersContext, fromContext, storeContext } from '../common/contexts.ts';
import type { ConversationStore } from '../storage/conversation-store.ts';
import type { Conversation } from '../storage/conversation.ts';
import { sleep } from '../../shared/timing.ts';
import { MeaningIndex } from './meaning-index.ts';

/** Milliseconds without a key after which somebody is taken to have typed what is sought. */
const TYPING_PAUSE = 300;

/** The conversations on this device, newest first, as far as they contain what is searched for. */
export class ConversationListController implements ReactiveController {
  conversations: readonly Conversation[] = [];
  /** Those that do not contain what is searched for, but are close to it in meaning, the closest first. */
  close: readonly Conversation[] = [];
  state: 'opening' | 'open' | 'unreadable' = 'opening';
  readonly #host: ReactiveControllerHost;
  readonly #store: () => ConversationStore;
  readonly #answers: () => AnswerRunner;
  readonly #index: MeaningIndex;
  #words = '';
  #closeIds: readonly string[] = [];
  #search = new AbortController();
  #reads = 0;
  #unsubscribe: () => void = () => {};

  constructor(host: ReactiveControllerHost & HTMLElement) {
    this.#host = host;
    this.#store = fromContext(host, storeContext);
    this.#answers = fromContext(host, answersContext);
    this.#index = new MeaningIndex(this.#store);
    host.addController(this);
  }

  get words(): string {
    return this.#words;
  }

  /** Shows only conversations whose title or messages contain `words`; empty shows all. */
  search(words: string): void {
    this.#words = words.trim();
    this.#closeIds = [];
    this.#search.abort();
    this.#search = new AbortController();
    if (this.#words.length > 2) void this.#searchByMeaning(this.#words, this.#search.signal);
    void this.#read();
  }

  hostConnected(): void {
    this.#unsubscribe = this.#store().subscribe(() => void this.#read());
    this.#answers().addEventListener('change', this.#update);
    void this.#read();
  }

  hostDisconnected(): void {
    this.#unsubscribe();
    this.#search.abort();
    this.#answers().removeEventListener('change', this.#update);
  }

  /** Where no vectors can be computed, words alone are what is found by. */
  async #searchByMeaning(words: string, signal: AbortSignal): Promise<void> {
    const tell = (ids: readonly string[]) => {
      this.#closeIds = ids;
      void this.#read();
    };
    await sleep(TYPING_PAUSE, signal)
      .then(() => this.#index.find(words, tell, signal))
      .catch((error: unknown) => {
        if (!signal.aborted) console.info('Chats are searched by words only.', error);
      });
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
      const others = new Map(all.map((conversation) => [conversation.id, conversation]));
      for (const { id } of this.conversations) others.delete(id);
      this.close = this.#closeIds.flatMap((id) => others.get(id) ?? []);
      this.state = 'open';
    } catch (error) {
      console.error(error);
      this.state = 'unreadable';
    }
    this.#update();
  }

  readonly #update = (): void => this.#host.requestUpdate();
}
