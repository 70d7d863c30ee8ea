import type { ConversationStore } from '../storage/conversation-store.ts';
import type { Answer } from '../types/conversation.ts';
import { sleep } from '../../shared/timeout.ts';

/** Milliseconds until the first further try to save an answer. Each later one waits twice as long. */
const FIRST_WAIT = 1000;
const LONGEST_WAIT = 30_000;

/**
 * Answers that have ended, but whose last save failed, for example because the disk is full. They are shown from memory
 * and saved as soon as the browser writes again.
 */
export class UnsavedAnswers {
  readonly #store: ConversationStore;
  readonly #answers = new Map<string, { readonly answer: Answer; readonly forgotten: AbortController }>();

  constructor(store: ConversationStore) {
    this.#store = store;
  }

  get size(): number {
    return this.#answers.size;
  }

  /** Returns the answer with this id if it is not saved; otherwise undefined. */
  get(id: string): Answer | undefined {
    return this.#answers.get(id)?.answer;
  }

  hasAnswerOf(conversation: string): boolean {
    return [...this.#answers.values()].some(({ answer }) => answer.conversation === conversation);
  }

  /** Adds an answer. It stays until {@link save} has saved it. */
  add(answer: Answer): void {
    this.#answers.set(answer.id, { answer, forgotten: new AbortController() });
  }

  /** Removes an answer that is generated further: what is saved then contains it. */
  forget(id: string): void {
    this.#answers.get(id)?.forgotten.abort();
    this.#answers.delete(id);
  }

  /**
   * Tries to save an added answer until that succeeds or {@link forget} ends it.
   * @param updated Time of the answer's end, which becomes that of its conversation.
   * @param ended Ends the tries, too.
   */
  async save({ id }: Answer, updated: number, ended: AbortSignal): Promise<void> {
    const unsaved = this.#answers.get(id);
    if (unsaved === undefined) return;
    const { answer, forgotten } = unsaved;
    const signal = AbortSignal.any([ended, forgotten.signal]);
    for (let wait = FIRST_WAIT; !signal.aborted; wait = Math.min(2 * wait, LONGEST_WAIT)) {
      try {
        await sleep(wait, signal);
        await this.#store.rewriteAnswer(answer, { updated });
        this.#answers.delete(id);
        return;
      } catch {
        // The first failure was reported. The next try may succeed, unless the tries were ended.
      }
    }
  }
}
