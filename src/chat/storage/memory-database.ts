import type { Conversation, StoredMessage } from '../types/conversation.ts';
import type { ChatDatabase } from './chat-database.ts';

export { moveWhenOpen } from './move-when-open.ts';

/** The content of {@link createMemoryDatabase}, by store and key. */
export interface StoredChats {
  readonly conversations: Map<string, Conversation>;
  readonly messages: Map<string, StoredMessage>;
}

type Value = Conversation & StoredMessage;

/**
 * A database in memory, for browsers that cannot open one. It has only those parts of the interface that the page uses.
 * Chats last until the page closes. As in IndexedDB, `add` fails for an existing key and rolls its transaction back.
 */
export function createMemoryDatabase(
  stored: StoredChats = { conversations: new Map(), messages: new Map() },
): ChatDatabase {
  const table = (name: keyof StoredChats) => stored[name] as Map<string, Value>;
  const messagesOf = (id: string) => [...stored.messages.values()].filter(({ conversation }) => conversation === id);

  function transaction(names: keyof StoredChats | readonly (keyof StoredChats)[]) {
    const before = { conversations: new Map(stored.conversations), messages: new Map(stored.messages) };
    let failure: DOMException | null = null;
    const write = (action: () => void) => {
      if (failure !== null) throw failure;
      action();
    };
    const rollBack = (key: string) => {
      failure = new DOMException(`${key} is taken.`, 'ConstraintError');
      for (const name of ['conversations', 'messages'] as const) {
        table(name).clear();
        for (const [id, value] of before[name]) table(name).set(id, value as Value);
      }
      throw failure;
    };
    const objectStore = (name: keyof StoredChats) => ({
      get: async (key: string) => table(name).get(key),
      getKey: async (key: string) => (table(name).has(key) ? key : undefined),
      put: async (value: Value) => write(() => table(name).set(value.id, value)),
      add: async (value: Value) =>
        write(() => (table(name).has(value.id) ? rollBack(value.id) : table(name).set(value.id, value))),
      delete: async (key: string) => write(() => table(name).delete(key)),
      index: () => ({ getAllKeys: async (id: string) => messagesOf(id).map((message) => message.id) }),
    });
    return {
      objectStore,
      store: objectStore(typeof names === 'string' ? names : 'conversations'),
      get done() {
        return failure === null ? Promise.resolve() : Promise.reject(failure);
      },
    };
  }

  const database = {
    get: async (name: keyof StoredChats, key: string) => table(name).get(key),
    getAll: async (name: keyof StoredChats, after: IDBKeyRange | null = null, most = Infinity) => {
      // Keys keep their insertion order, so a reader can continue after the last key that it has read.
      const ids = [...table(name).keys()];
      const start = after === null ? 0 : ids.indexOf(String(after.lower)) + 1;
      return ids.slice(start, start + most).map((id) => table(name).get(id));
    },
    getAllFromIndex: async (_name: 'messages', _index: 'conversation', id: string) => messagesOf(id),
    transaction,
  };
  // The page uses no other part of the interface.
  return database as unknown as ChatDatabase;
}
