import type { CompletionEvent } from '../../../src/shared/engine/completion-event.ts';
import type { AnswerRecords, StoredAnswer } from '../../../src/shared/storage/stored-answer.ts';

/** Stored answers in memory. They outlive workers, as those in the database do. */
export class MemoryAnswers implements AnswerRecords {
  readonly answers = new Map<string, StoredAnswer>();
  readonly logs = new Map<string, readonly CompletionEvent[]>();

  async add(answer: StoredAnswer): Promise<void> {
    this.answers.set(answer.id, structuredClone(answer));
  }

  async find(id: string): Promise<StoredAnswer | undefined> {
    return this.answers.get(id);
  }

  /** Newest first; answers of the same second in reverse order of insertion, as in the database. */
  async list(): Promise<readonly StoredAnswer[]> {
    return [...this.answers.values()].toReversed().toSorted((one, other) => other.created - one.created);
  }

  async setMetadata(id: string, metadata: StoredAnswer['metadata']): Promise<void> {
    const answer = this.answers.get(id);
    if (answer) this.answers.set(id, { ...answer, metadata });
  }

  async delete(id: string): Promise<void> {
    this.answers.delete(id);
    this.logs.delete(id);
  }

  async deleteAll(): Promise<void> {
    this.answers.clear();
    this.logs.clear();
  }

  async addLog(id: string, log: readonly CompletionEvent[]): Promise<void> {
    this.logs.set(id, structuredClone(log));
  }

  async log(id: string): Promise<readonly CompletionEvent[] | undefined> {
    return this.logs.get(id);
  }
}
