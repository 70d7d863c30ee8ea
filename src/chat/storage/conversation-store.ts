import { DatabaseConnection } from '../../shared/storage/database-connection.ts';
import type {
  Answer,
  Conversation,
  EmbeddingWeights,
  Message,
  MessageVectors,
  StoredMessage,
} from '../types/conversation.ts';
import { openChatDatabase, type ChatDatabase } from './database.ts';
import { areOf } from './message-vectors.ts';

/** Messages that are read at once: to make objects of them takes some milliseconds. */
const READ_AT_ONCE = 250;

/** Something of this conversation was written or deleted, by this tab or another one. */
export interface StoreChange {
  /** Its id; empty when {@link ConversationStore.keepsNothing} has become true. */
  readonly conversation: string;
}

/** A passage of a message, by its number, and its vector. */
export interface StoredPassage {
  readonly conversation: string;
  readonly message: string;
  readonly passage: number;
  readonly vector: Float32Array;
}

/** Conversations on this device. Every tab sees what any tab writes. */
export class ConversationStore {
  /** True where nothing is to be written to the device, by whoever uses this store either. */
  readonly isTemporary: boolean;
  readonly #database: DatabaseConnection<ChatDatabase>;
  #hasOpened = false;
  #memory: ChatDatabase | null = null;
  readonly #listeners = new Set<(change: StoreChange) => void>();
  readonly #channel: BroadcastChannel | null;

  /** @param openDatabase Default: the database of this origin; null keeps all in the memory of this page, and tells no other. */
  constructor(openDatabase: typeof openChatDatabase | null = openChatDatabase) {
    this.isTemporary = openDatabase === null;
    this.#database = new DatabaseConnection(openDatabase ?? openMemoryDatabase);
    this.#channel = this.isTemporary ? null : new BroadcastChannel('tabserve-chat');
    this.#channel?.addEventListener('message', (event: MessageEvent<StoreChange>) => this.#tell(event.data));
  }

  /** True when chats live in the memory of this page only, because the browser opens no database. */
  get keepsNothing(): boolean {
    return this.#memory !== null;
  }

  /** @returns A function that ends the subscription. */
  subscribe(listener: (change: StoreChange) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async conversations(): Promise<Conversation[]> {
    return (await this.#open()).getAll('conversations');
  }

  async conversation(id: string): Promise<Conversation | undefined> {
    return (await this.#open()).get('conversations', id);
  }

  async messages(conversation: string): Promise<Message[]> {
    return (await (await this.#open()).getAllFromIndex('messages', 'conversation', conversation)).map(withoutVectors);
  }

  /**
   * Writes a whole new conversation in one step: all of it or nothing.
   * @throws DOMException `ConstraintError` where its id or that of a message is taken: nothing is ever overwritten.
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
   * Changes fields of a conversation as it is stored now, so that two tabs do not undo each other. Does
   * nothing if it has been deleted meanwhile.
   */
  async update(id: string, changes: Partial<Omit<Conversation, 'id'>>): Promise<void> {
    const transaction = (await this.#open()).transaction('conversations', 'readwrite');
    const stored = await transaction.store.get(id);
    if (stored !== undefined) await transaction.store.put({ ...stored, ...changes });
    await transaction.done;
    this.#changed(id);
  }

  /** Writes messages, and changes of their conversation. Does nothing if that has been deleted meanwhile. */
  async write(
    id: string,
    messages: readonly Message[],
    changes: Partial<Omit<Conversation, 'id'>> = {},
  ): Promise<void> {
    const transaction = (await this.#open()).transaction(['conversations', 'messages'], 'readwrite');
    const conversations = transaction.objectStore('conversations');
    const stored = await conversations.get(id);
    if (stored !== undefined) {
      await Promise.all([
        conversations.put({ ...stored, ...changes }),
        ...messages.map((message) => transaction.objectStore('messages').put(message)),
      ]);
    }
    await transaction.done;
    this.#changed(id);
  }

  /**
   * Writes an answer anew that is stored already; does nothing if it has been deleted meanwhile.
   * @param end Given with the last write. Until then only other tabs are told: this one shows it from memory.
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

  async deleteMessages(
    id: string,
    messages: readonly string[],
    changes: Partial<Omit<Conversation, 'id'>>,
  ): Promise<void> {
    const transaction = (await this.#open()).transaction(['conversations', 'messages'], 'readwrite');
    await Promise.all(messages.map((message) => transaction.objectStore('messages').delete(message)));
    const stored = await transaction.objectStore('conversations').get(id);
    if (stored !== undefined) await transaction.objectStore('conversations').put({ ...stored, ...changes });
    await transaction.done;
    this.#changed(id);
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

  /** Ids of the conversations in whose questions or answers `words` occurs, whatever its letter case. */
  async containing(words: string): Promise<Set<string>> {
    const sought = words.toLocaleLowerCase();
    const found = new Set<string>();
    for await (const messages of allMessages(await this.#open())) {
      for (const { text, conversation } of messages) {
        if (text.toLocaleLowerCase().includes(sought)) found.add(conversation);
      }
    }
    return found;
  }

  /** Some messages that are written to their end and have no vectors of these weights. @param most Of them. Default: all. */
  async messagesWithoutVectors(weights: EmbeddingWeights, most = Infinity): Promise<Message[]> {
    const found: Message[] = [];
    for await (const messages of allMessages(await this.#open())) {
      const missing = messages
        .filter(({ vectors }) => !areOf(vectors, weights))
        .filter((message) => message.role === 'user' || message.state !== 'running');
      found.push(...missing.slice(0, most - found.length).map(withoutVectors));
      if (found.length >= most) break;
    }
    return found;
  }

  /** Keeps the vectors of a message, unless it has been deleted or changed meanwhile. That is no news to anybody. */
  async addVectors({ id, text }: Message, vectors: MessageVectors): Promise<void> {
    const transaction = (await this.#open()).transaction('messages', 'readwrite');
    const store = transaction.objectStore('messages');
    const stored = await store.get(id);
    if (stored?.text === text) await store.put({ ...stored, vectors });
    await transaction.done;
  }

  /** All vectors of these weights, with the messages that they were computed of, those of some messages at a time. */
  async *vectors(weights: EmbeddingWeights): AsyncGenerator<readonly StoredPassage[]> {
    for await (const messages of allMessages(await this.#open())) {
      yield messages.flatMap(({ id, conversation, vectors }) =>
        areOf(vectors, weights)
          ? vectors.passages.map((vector, passage) => ({ conversation, message: id, passage, vector }))
          : [],
      );
    }
  }

  /** Where the browser opens no database this page goes on in memory, to its end: half a chat here and half there helps nobody. */
  async #open(): Promise<ChatDatabase> {
    if (this.#memory) return this.#memory;
    try {
      const database = await this.#database.open();
      this.#hasOpened = true;
      return database;
    } catch (thrown) {
      // Chats that are there are not to be taken for deleted only because the database fails now.
      if (this.#hasOpened) throw thrown;
      const memory = await openMemoryDatabase();
      if (this.#memory === null) {
        this.#memory = memory;
        this.#tell({ conversation: '' });
      }
      return this.#memory;
    }
  }

  #changed(conversation: string): void {
    const change: StoreChange = { conversation };
    this.#channel?.postMessage(change);
    this.#tell(change);
  }

  #tell(change: StoreChange): void {
    for (const listener of this.#listeners) listener(change);
  }
}

/**
 * Every message of the database, in pieces: read in one go, ten thousand of them would keep the page
 * from doing anything else. What is written meanwhile may be among them or not.
 */
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

/** A message as everybody but the search sees it: written back, it must not carry the vectors of an earlier text. */
function withoutVectors(stored: StoredMessage): Message {
  const message: Message = { ...stored };
  Reflect.deleteProperty(message, 'vectors');
  return message;
}

/** Few need it, so it is loaded by those. */
async function openMemoryDatabase(): Promise<ChatDatabase> {
  const { createMemoryDatabase } = await import('./memory-database.ts');
  return createMemoryDatabase();
}
