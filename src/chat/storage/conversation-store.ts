import { DatabaseConnection } from '../../shared/storage/database-connection.ts';
import type {
  Answer,
  Conversation,
  EmbeddingWeights,
  Message,
  MessageVectors,
  StoredMessage,
} from '../types/conversation.ts';
import { chatConnection, type ChatDatabase } from './chat-database.ts';
import { areComputedWith } from './embedding-similarity.ts';
import { READ_AGAIN } from './read-again.ts';

/** Number of messages per read from the database. Deserialising more at once would block the page. */
const READ_AT_ONCE = 250;

/** A write or deletion in a conversation, by any tab. */
export interface StoreChange {
  /** Id of the conversation; empty for all, as when {@link ConversationStore.keepsNothing} changes. */
  readonly conversation: string;
}

/** A passage of a message, by its index, and its embedding. */
export interface StoredPassage {
  readonly conversation: string;
  readonly message: string;
  readonly passage: number;
  readonly vector: Float32Array;
}

/** Fields of a conversation to change. */
type ConversationChanges = Partial<Omit<Conversation, 'id'>>;

export class ConversationStore {
  /** True if neither this store nor its users may write to the device. */
  readonly isTemporary: boolean;
  readonly #database: DatabaseConnection<ChatDatabase>;
  #hasOpened = false;
  #memory: ChatDatabase | null = null;
  /** Pending while chats are copied from memory to a database that opened late. */
  #copying: Promise<void> | null = null;
  readonly #listeners = new Set<(change: StoreChange) => void>();
  #readAgain: ReturnType<typeof setTimeout> | undefined;
  readonly #channel: BroadcastChannel | null;

  /**
   * Creates a store. The first access opens the database.
   * @param openDatabase Default: this origin's database. Null keeps everything in memory and notifies no other tab.
   */
  constructor(openDatabase?: ((closed: () => void) => Promise<ChatDatabase>) | null) {
    this.isTemporary = openDatabase === null;
    this.#database =
      openDatabase === undefined ? chatConnection : new DatabaseConnection(openDatabase ?? openMemoryDatabase);
    this.#channel = this.isTemporary ? null : new BroadcastChannel('tabserve-chat');
    this.#channel?.addEventListener('message', (event: MessageEvent<StoreChange>) => this.#tell(event.data));
  }

  /** True while chats exist only in this page's memory, because the browser has not opened the database. */
  get keepsNothing(): boolean {
    return this.#memory !== null;
  }

  /**
   * Calls `listener` on each change.
   * @returns A function that ends the subscription.
   */
  subscribe(listener: (change: StoreChange) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async conversations(): Promise<Conversation[]> {
    return this.#read((database) => database.getAll('conversations'));
  }

  async conversation(id: string): Promise<Conversation | undefined> {
    return this.#read((database) => database.get('conversations', id));
  }

  async messages(conversation: string): Promise<Message[]> {
    const stored = await this.#read((database) => database.getAllFromIndex('messages', 'conversation', conversation));
    return stored.map(withoutVectors);
  }

  /**
   * Adds a whole conversation in one transaction.
   * @throws DOMException `ConstraintError` if the id of the conversation or of a message exists. Then nothing is added.
   */
  async add(conversation: Conversation, messages: readonly Message[]): Promise<void> {
    const transaction = (await this.#open()).transaction(['conversations', 'messages'], 'readwrite');
    await Promise.all([
      transaction.objectStore('conversations').add(conversation),
      ...messages.map((message) => transaction.objectStore('messages').add(message)),
      transaction.done,
    ]);
    this.#changed(conversation.id);
  }

  /**
   * Changes only the given fields, so that other tabs' changes of other fields are kept. Does nothing if the
   * conversation was deleted.
   * @param changes May be a function of the stored conversation.
   */
  async update(
    id: string,
    changes: ConversationChanges | ((stored: Conversation) => ConversationChanges),
  ): Promise<void> {
    // Only of this store: a choice that is followed by a reload must not wait for reads of messages.
    const transaction = (await this.#open()).transaction('conversations', 'readwrite');
    const stored = await transaction.store.get(id);
    if (stored !== undefined)
      await transaction.store.put({ ...stored, ...(typeof changes === 'function' ? changes(stored) : changes) });
    await transaction.done;
    this.#changed(id);
  }

  /**
   * Writes and deletes messages, and changes their conversation.
   * @param deleted Ids of messages to delete.
   * @returns False if the conversation was deleted. Then nothing is written.
   */
  async write(
    id: string,
    messages: readonly Message[],
    changes: ConversationChanges = {},
    deleted: readonly string[] = [],
  ): Promise<boolean> {
    const transaction = (await this.#open()).transaction(['conversations', 'messages'], 'readwrite');
    const conversations = transaction.objectStore('conversations');
    const store = transaction.objectStore('messages');
    const stored = await conversations.get(id);
    if (stored !== undefined) {
      await Promise.all([
        conversations.put({ ...stored, ...changes }),
        ...messages.map((message) => store.put(message)),
        ...deleted.map((message) => store.delete(message)),
      ]);
    }
    await transaction.done;
    this.#changed(id);
    return stored !== undefined;
  }

  /**
   * Overwrites a stored answer. Does nothing if it was deleted.
   * @param end Changes of the conversation, given with the last write. Earlier writes notify only other tabs, because
   * this one shows the answer from memory.
   */
  async rewriteAnswer(answer: Answer, end?: { readonly updated: number }): Promise<void> {
    const { id, conversation } = answer;
    const transaction = (await this.#open()).transaction(['conversations', 'messages'], 'readwrite');
    const isStored = (await transaction.objectStore('messages').getKey(id)) !== undefined;
    if (isStored) await transaction.objectStore('messages').put(answer);
    const stored = await transaction.objectStore('conversations').get(conversation);
    if (isStored && stored !== undefined && end !== undefined) {
      await transaction.objectStore('conversations').put({ ...stored, ...end });
    }
    await transaction.done;
    if (end !== undefined) return this.#changed(conversation);
    this.#channel?.postMessage({ conversation } satisfies StoreChange);
  }

  async delete(id: string): Promise<void> {
    const transaction = (await this.#open()).transaction(['conversations', 'messages'], 'readwrite');
    await transaction.objectStore('conversations').delete(id);
    for (const key of await transaction.objectStore('messages').index('conversation').getAllKeys(id)) {
      await transaction.objectStore('messages').delete(key);
    }
    await transaction.done;
    this.#changed(id);
  }

  /** All messages, in batches. */
  async *allMessages(): AsyncGenerator<readonly Message[], undefined> {
    yield* allMessages(await this.#open());
  }

  /**
   * Finds messages without embeddings of these weights, except running answers.
   * @param most Maximum messages. Default: all.
   */
  async messagesWithoutVectors(weights: EmbeddingWeights, most = Infinity): Promise<Message[]> {
    const found: Message[] = [];
    for await (const messages of allMessages(await this.#open())) {
      const missing = messages
        .filter(({ vectors }) => !areComputedWith(vectors, weights))
        .filter((message) => message.role === 'user' || message.state !== 'running');
      found.push(...missing.slice(0, most - found.length).map(withoutVectors));
      if (found.length >= most) break;
    }
    return found;
  }

  /** Stores the embeddings of a message, unless it was deleted or changed. Notifies no listeners. */
  async addVectors({ id, text }: Message, vectors: MessageVectors): Promise<void> {
    const transaction = (await this.#open()).transaction('messages', 'readwrite');
    const store = transaction.objectStore('messages');
    const stored = await store.get(id);
    if (stored?.text === text) await store.put({ ...stored, vectors });
    await transaction.done;
  }

  /** All embeddings of these weights, in batches, with their messages. */
  async *vectors(weights: EmbeddingWeights): AsyncGenerator<readonly StoredPassage[]> {
    for await (const messages of allMessages(await this.#open())) {
      yield messages.flatMap(({ id, conversation, vectors }) =>
        areComputedWith(vectors, weights)
          ? vectors.passages.map((vector, passage) => ({ conversation, message: id, passage, vector }))
          : [],
      );
    }
  }

  async #read<Result>(read: (database: ChatDatabase) => Promise<Result>): Promise<Result> {
    try {
      return await read(await this.#open());
    } catch (thrown) {
      clearTimeout(this.#readAgain);
      this.#readAgain = setTimeout(() => this.#tell(), READ_AGAIN);
      throw thrown;
    }
  }

  /**
   * Opens the database. If the browser does not open it in time, this page keeps all chats in memory, so that they are
   * not split between two places. Once the database opens, the chats are moved to it; otherwise they are lost when the
   * page closes.
   */
  async #open(): Promise<ChatDatabase> {
    await this.#copying?.catch(() => {});
    if (this.#memory) return this.#memory;
    try {
      const database = await this.#database.open();
      this.#hasOpened = true;
      return database;
    } catch (thrown) {
      // An error after a successful open must not make stored chats look deleted.
      if (this.#hasOpened) throw thrown;
      const { createMemoryDatabase, moveWhenOpen } = await memoryDatabase();
      if (this.#memory === null) {
        const memory = (this.#memory = createMemoryDatabase());
        this.#tell();
        void moveWhenOpen(memory, this.#database, (copying) => this.#leaveMemory(copying));
      }
      return this.#memory;
    }
  }

  /** Other accesses wait until the chats are copied from memory to the database. */
  async #leaveMemory(copying: Promise<void>): Promise<void> {
    this.#copying = copying;
    try {
      await copying;
      this.#memory = null;
      this.#hasOpened = true;
    } finally {
      this.#copying = null;
    }
    this.#changed('');
  }

  #changed(conversation: string): void {
    const change: StoreChange = { conversation };
    this.#channel?.postMessage(change);
    this.#tell(change);
  }

  #tell(change: StoreChange = { conversation: '' }): void {
    for (const listener of this.#listeners) listener(change);
  }
}

/** All messages in batches. Reading ten thousand at once would block the page. */
async function* allMessages(database: ChatDatabase): AsyncGenerator<readonly StoredMessage[], undefined> {
  let after: IDBKeyRange | null = null;
  for (;;) {
    const messages: readonly StoredMessage[] = await database.getAll('messages', after, READ_AT_ONCE);
    yield messages;
    const last = messages.at(-1);
    if (last === undefined || messages.length < READ_AT_ONCE) return;
    after = IDBKeyRange.lowerBound(last.id, true);
  }
}

/** Removes the embeddings: a message that is written again must not keep the embeddings of an older text. */
function withoutVectors(stored: StoredMessage): Message {
  const message: Message = { ...stored };
  Reflect.deleteProperty(message, 'vectors');
  return message;
}

/** Loaded lazily, because few browsers need a database in memory. */
const memoryDatabase = () => import('./memory-database.ts');

async function openMemoryDatabase(): Promise<ChatDatabase> {
  return (await memoryDatabase()).createMemoryDatabase();
}
