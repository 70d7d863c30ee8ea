import { siteLocks } from '../../../shared/locks/site-locks.ts';
import { DRAFT_DATABASE, draftConnection, type QueuedQuestion, type StoredQuestion } from './draft-database.ts';

/** A conversation. A temporary one exists in memory only, and so does its queue. */
export interface QueueOwner {
  readonly id: string | null;
  readonly isTemporary: boolean;
}

/** Tells other tabs the id of a conversation whose queue was changed. */
const channel = new BroadcastChannel(`${DRAFT_DATABASE}-queues`);

/**
 * The questions that wait in conversations. Those that were read are in memory, because a chat shows them at each piece
 * of an answer.
 * @fires change - a queue was read or changed, by this tab or another.
 */
class QuestionQueues extends EventTarget {
  readonly #queues = new Map<string, readonly QueuedQuestion[]>();
  /** Questions that left their queue, although the database may still have them. */
  readonly #gone = new Set<string>();

  constructor() {
    super();
    channel.addEventListener('message', ({ data }: MessageEvent<string>) => void this.#follow(data));
  }

  /** Returns the questions that wait, oldest first; none before {@link read}. */
  of({ id }: QueueOwner): readonly QueuedQuestion[] {
    return (id === null ? undefined : this.#queues.get(id)) ?? NONE;
  }

  /**
   * Reads a queue from the device.
   * @throws ApiError `storage_unavailable` if the database cannot be opened.
   */
  async read({ id, isTemporary }: QueueOwner): Promise<readonly QueuedQuestion[]> {
    if (id === null || isTemporary) return this.of({ id, isTemporary });
    const stored = await (await draftConnection.open()).getAllFromIndex('questions', 'conversation', id);
    const waiting = stored.filter((question) => !this.#gone.has(question.id));
    const queue = waiting.toSorted((one, other) => one.added - other.added).map(queued);
    this.#show(id, queue);
    return queue;
  }

  /**
   * Adds a question to the queue of a chat.
   * @throws ApiError `storage_unavailable` if the database cannot be opened; DOMException if the disk is full.
   */
  async add(owner: QueueOwner, asked: Omit<QueuedQuestion, 'id'>): Promise<void> {
    const question = { ...asked, id: crypto.randomUUID() };
    if (owner.id === null) return;
    if (!owner.isTemporary) await store([{ ...question, conversation: owner.id, added: Date.now() }]);
    this.#show(owner.id, [...this.of(owner), question]);
    tell(owner);
  }

  /** Shows a question no more in this tab. The device keeps it until {@link remove}. */
  hide(owner: QueueOwner, id: string): void {
    this.#gone.add(id);
    const rest = this.of(owner).filter((question) => question.id !== id);
    if (owner.id !== null) this.#show(owner.id, rest);
  }

  /** Removes a question. If it cannot be deleted from the device, it is not shown by this tab any more. */
  async remove(owner: QueueOwner, id: string): Promise<void> {
    this.hide(owner, id);
    if (owner.isTemporary) return;
    await (await draftConnection.open()).delete('questions', id);
    tell(owner);
  }

  /** Runs an action while no other one holds the queue of the conversation, in any tab. Only its holder sends questions. */
  hold<Result>(conversation: string, action: () => Promise<Result>): Promise<Result> {
    return siteLocks().request(`tabserve-queue ${conversation}`, action);
  }

  /** Deletes the queue of a conversation. Returns what brings it back. */
  async take(conversation: string): Promise<() => Promise<void>> {
    const owner = { id: conversation, isTemporary: false };
    this.#show(conversation, NONE);
    try {
      const transaction = (await draftConnection.open()).transaction('questions', 'readwrite');
      const taken = await transaction.store.index('conversation').getAll(conversation);
      for (const { id } of taken) await transaction.store.delete(id);
      await transaction.done;
      tell(owner);
      return async () => {
        await store(taken);
        this.#queues.delete(conversation);
        tell(owner);
      };
    } catch (error) {
      console.info('A queue is still kept.', error);
      return () => Promise.resolve();
    }
  }

  /** Forgets the queues of temporary chats, and what is known of the others. */
  forget(): void {
    this.#queues.clear();
  }

  async #follow(conversation: string): Promise<void> {
    if (this.#queues.has(conversation))
      await this.read({ id: conversation, isTemporary: false }).catch((error: unknown) =>
        console.info('A queue cannot be read.', error),
      );
  }

  #show(conversation: string, queue: readonly QueuedQuestion[]): void {
    this.#queues.set(conversation, queue);
    this.dispatchEvent(new Event('change'));
  }
}

const NONE: readonly QueuedQuestion[] = [];

function queued(stored: StoredQuestion): QueuedQuestion {
  const { conversation: _, added: __, ...question } = stored;
  return question;
}

async function store(questions: readonly StoredQuestion[]): Promise<void> {
  const transaction = (await draftConnection.open()).transaction('questions', 'readwrite');
  await Promise.all([...questions.map((question) => transaction.store.put(question)), transaction.done]);
}

function tell({ id, isTemporary }: QueueOwner): void {
  if (!isTemporary) channel.postMessage(id);
}

export const questionQueues = new QuestionQueues();
