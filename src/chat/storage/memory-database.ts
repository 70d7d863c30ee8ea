import type { Conversation, StoredMessage } from '../types/conversation.ts';
import type { ChatDatabase } from './chat-database.ts';

export { moveWhenOpen } from './move-when-open.ts';

/** The content of {@link createMemoryDatabase}, by store and key. */
export interface StoredChats {
  readonly conversations: Map<string, Conversation>;
  readonly messages: Map<string, StoredMessage>;
}

type Value = Conversation & StoredMessage;

/** Milliseconds after which a transaction ends whose caller has failed before it awaited the end. */
const ABANDONED = 1000;

/**
 * A database in memory, for browsers that cannot open one. It has only those parts of the interface that the page uses.
 * Chats last until the page closes. As in IndexedDB, `add` fails for an existing key and rolls its transaction back, and
 * transactions run one after the other: otherwise the last save of an answer could write it again while it is deleted.
 */
export function createMemoryDatabase(
  stored: StoredChats = { conversations: new Map(), messages: new Map() },
): ChatDatabase {
  const table = (name: keyof StoredChats) => stored[name] as Map<string, Value>;
  const messagesOf = (id: string) => [...stored.messages.values()].filter(({ conversation }) => conversation === id);

  /** Settles when all transactions so far have ended. */
  let ended: Promise<unknown> = Promise.resolve();

  function transaction(names: keyof StoredChats | readonly (keyof StoredChats)[]) {
    let before: StoredChats = stored;
    const begin = async (earlier: Promise<unknown>): Promise<void> => {
      await earlier;
      before = { conversations: new Map(stored.conversations), messages: new Map(stored.messages) };
    };
    const turn = begin(ended);
    const end = new AbortController();
    ended = new Promise((resolve) => end.signal.addEventListener('abort', resolve, { once: true }));
    const abandoned = setTimeout(() => end.abort(), ABANDONED);
    const steps: Promise<unknown>[] = [turn];
    const inTurn = <Result>(step: () => Result): Promise<Result> => {
      const done = turn.then(step);
      steps.push(done.catch(() => {}));
      return done;
    };
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
    const finish = async (): Promise<void> => {
      await Promise.all(steps);
      clearTimeout(abandoned);
      end.abort();
      if (failure !== null) throw failure;
    };
    const objectStore = (name: keyof StoredChats) => ({
      get: (key: string) => inTurn(() => table(name).get(key)),
      getKey: (key: string) => inTurn(() => (table(name).has(key) ? key : undefined)),
      put: (value: Value) => inTurn(() => write(() => table(name).set(value.id, value))),
      add: (value: Value) =>
        inTurn(() => write(() => (table(name).has(value.id) ? rollBack(value.id) : table(name).set(value.id, value)))),
      delete: (key: string) => inTurn(() => write(() => table(name).delete(key))),
      index: () => ({ getAllKeys: (id: string) => inTurn(() => messagesOf(id).map((message) => message.id)) }),
    });
    return {
      objectStore,
      store: objectStore(typeof names === 'string' ? names : 'conversations'),
      get done() {
        return finish();
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
