import type { ReactiveController, ReactiveControllerHost } from 'lit';
import type { AnswerRunner } from '../answers/answer-runner.ts';
import type { ActionController } from '../common/action-controller.ts';
import { answersContext, fromContext, storeContext } from '../common/contexts.ts';
import { errorInPageLanguage } from '../strings/engine-sentences.ts';
import { reuseUnchanged } from '../storage/reuse-unchanged.ts';
import { loadPart } from '../browser/load-part.ts';
import { withTimeout } from '../../shared/timeout.ts';
import type { ConversationStore } from '../storage/conversation-store.ts';
import type { Conversation } from '../types/conversation.ts';
import type { ConversationSearch, FoundConversation } from './conversation-search.ts';

/**
 * Milliseconds after which a read of the list counts as one that a browser never ends, and is repeated. The next read gets
 * twice that time, so that one ends where all reads are slow.
 */
const READ_TIME = 15_000;

/** The conversations on this device, newest first, and the search results. */
export class ConversationListController implements ReactiveController {
  conversations: readonly Conversation[] = [];
  /** What is searched; empty for all conversations. */
  words = '';
  /** Best match first; null without a search or before its first result. */
  found: readonly FoundConversation[] | null = null;
  state: 'opening' | 'open' | 'unreadable' = 'opening';
  readonly #host: ReactiveControllerHost;
  readonly #actions: ActionController;
  readonly #store: () => ConversationStore;
  readonly #answers: () => AnswerRunner;
  #finder: Promise<ConversationSearch> | undefined;
  #search = new AbortController();
  /** What the last search that failed has shown. */
  #failure = '';
  #isReading = false;
  #isStale = false;
  #unsubscribe: () => void = () => {};

  /** @param actions Gets the problem of a search that fails. */
  constructor(host: ReactiveControllerHost & HTMLElement, actions: ActionController) {
    this.#host = host;
    this.#actions = actions;
    this.#store = fromContext(host, storeContext);
    this.#answers = fromContext(host, answersContext);
    host.addController(this);
  }

  /**
   * Searches the conversations.
   * @param words Empty to show all.
   */
  search(words: string): void {
    this.words = words.trim();
    if (this.words === '') this.found = null;
    this.#actions.show('');
    this.#find();
    this.#update();
  }

  hostConnected(): void {
    this.#unsubscribe = this.#store().subscribe(() => {
      this.#read();
      // A search that goes on follows the changes itself.
      if (!this.#finder) this.#find();
    });
    this.#answers().addEventListener('change', this.#update);
    this.#read();
    // The list may have been moved during a search.
    this.#find();
  }

  hostDisconnected(): void {
    this.#unsubscribe();
    this.#search.abort();
    this.#answers().removeEventListener('change', this.#update);
  }

  #find(): void {
    this.#search.abort();
    const { signal } = (this.#search = new AbortController());
    if (this.words === '') return;
    this.#finder ??= loadPart(import('./conversation-search.ts')).then(
      ({ ConversationSearch }) => new ConversationSearch(this.#store),
    );
    const tell = (found: readonly FoundConversation[]): void => {
      if (this.#actions.problem === this.#failure) this.#actions.show('');
      this.found = found;
      this.#update();
    };
    this.#finder
      .then((finder) => finder.follow(this.words, tell, signal))
      .catch((error: unknown) => {
        if (signal.aborted) return;
        // The next search retries the load.
        this.#finder = undefined;
        console.error(error);
        this.#actions.show((this.#failure = errorInPageLanguage(error)));
      });
  }

  /** Reads the list. Only one read runs at a time, because an import causes thousands of change events. */
  #read(): void {
    this.#isStale = true;
    if (!this.#isReading) void this.#readUntilFresh();
  }

  async #readUntilFresh(): Promise<void> {
    this.#isReading = true;
    let time = READ_TIME;
    while (this.#isStale) {
      this.#isStale = false;
      try {
        const read = await withTimeout(time, this.#store().conversations(), null);
        if (read === null) {
          this.#isStale = true;
          time *= 2;
        } else {
          this.conversations = reuseUnchanged(
            this.conversations,
            read.toSorted((a, b) => b.updated - a.updated),
          );
          this.state = 'open';
        }
      } catch (error) {
        console.error(error);
        this.state = 'unreadable';
      }
      this.#update();
    }
    this.#isReading = false;
  }

  readonly #update = (): void => this.#host.requestUpdate();
}
