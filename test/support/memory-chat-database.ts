import type { ChatDatabase } from '../../src/chat/storage/database.ts';
import type { Conversation, Message } from '../../src/chat/storage/conversation.ts';

/** What a {@link memoryChatDatabase} holds, by store and key. */
export interface StoredChats {
  readonly conversations: ReadonlyMap<string, Conversation>;
  readonly messages: ReadonlyMap<string, Message>;
}

/**
 * The chat page's database in memory. As in a browser, `add` fails where the key is taken, and then nothing of its
 * transaction stays.
 */
export function memoryChatDatabase(): { readonly database: ChatDatabase; readonly stored: StoredChats } {
  const stored = { conversations: new Map<string, Conversation>(), messages: new Map<string, Message>() };

  function transaction() {
    const before = { conversations: new Map(stored.conversations), messages: new Map(stored.messages) };
    let failure: DOMException | null = null;
    const rollBack = (key: string) => {
      failure = new DOMException(`${key} is taken.`, 'ConstraintError');
      for (const name of ['conversations', 'messages'] as const) {
        stored[name].clear();
        for (const [id, value] of before[name]) stored[name].set(id, value as Conversation & Message);
      }
    };
    const objectStore = (name: keyof StoredChats) => ({
      async put(value: Conversation & Message) {
        if (failure !== null) throw failure;
        stored[name].set(value.id, value);
      },
      async add(value: Conversation & Message) {
        if (failure === null && stored[name].has(value.id)) rollBack(value.id);
        if (failure !== null) throw failure;
        stored[name].set(value.id, value);
      },
    });
    return {
      objectStore,
      get done() {
        return failure === null ? Promise.resolve() : Promise.reject(failure);
      },
    };
  }

  const database = {
    get: async (name: keyof StoredChats, key: string) => stored[name].get(key),
    getAll: async (name: keyof StoredChats) => [...stored[name].values()],
    getAllFromIndex: async (_name: 'messages', _index: 'conversation', conversation: string) =>
      [...stored.messages.values()].filter((message) => message.conversation === conversation),
    transaction,
  };
  return { database: database as unknown as ChatDatabase, stored };
}
