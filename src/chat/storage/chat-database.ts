import { openDB, type DBSchema, type IDBPDatabase } from 'idb';
import { closeWhenBlocking } from '../../shared/storage/database-connection.ts';
import type { Conversation, StoredMessage } from '../types/conversation.ts';

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
  return openDB<ChatSchema>(CHAT_DATABASE, 1, {
    upgrade(database) {
      database.createObjectStore('conversations', { keyPath: 'id' });
      database.createObjectStore('messages', { keyPath: 'id' }).createIndex('conversation', 'conversation');
    },
    ...closeWhenBlocking(closed),
  });
}
