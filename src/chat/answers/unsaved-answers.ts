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
  readonly #answers = new Map<string, Answer>();

  constructor(store: ConversationStore) {
    this.#store = store;
  }

  get size(): number {
    return this.#answers.size;
  }

  /** Returns the answer with this id if it is not saved; otherwise undefined. */
  get(id: string): Answer | undefined {
    return this.#answers.get(id);
  }

  hasAnswerOf(conversation: string): boolean {
    return [...this.#answers.values()].some((answer) => answer.conversation === conversation);
  }

  /** Adds an answer. It stays until {@link save} has saved it. */
  add(answer: Answer): void {
    this.#answers.set(answer.id, answer);
  }

  /**
   * Tries to save an added answer until that succeeds.
   * @param updated Time of the answer's end, which becomes that of its conversation.
   */
  async save(answer: Answer, updated: number, signal: AbortSignal): Promise<void> {
    for (let wait = FIRST_WAIT; !signal.aborted; wait = Math.min(2 * wait, LONGEST_WAIT)) {
      await sleep(wait);
      try {
        await this.#store.rewriteAnswer(answer, { updated });
        this.#answers.delete(answer.id);
        return;
      } catch {
        // The first failure was reported; the next try may succeed.
      }
    }
  }
}
