import type { DBSchema, IDBPDatabase } from 'idb';
import type { Conversation, StoredMessage } from '../types/conversation.ts';
import { openPageDatabase } from './open-page-database.ts';

interface ChatSchema extends DBSchema {
  conversations: { key: string; value: Conversation };
  messages: { key: string; value: StoredMessage; indexes: { conversation: string } };
}

export type ChatDatabase = IDBPDatabase<ChatSchema>;

export const CHAT_DATABASE = 'tabserve-chat';

/**
 * Opens the database of chats.
 * @param closed Called when the connection is lost and a new one must be opened.
 */
export function openChatDatabase(closed: () => void): Promise<ChatDatabase> {
  return openPageDatabase<ChatSchema>(CHAT_DATABASE, closed, (database) => {
    database.createObjectStore('conversations', { keyPath: 'id' });
    database.createObjectStore('messages', { keyPath: 'id' }).createIndex('conversation', 'conversation');
  });
}
