import type { DBSchema, IDBPDatabase } from 'idb';
import { DatabaseConnection } from '../../shared/storage/database-connection.ts';
import type { Conversation, StoredMessage } from '../types/conversation.ts';
import { openPageDatabase } from './open-page-database.ts';

interface ChatSchema extends DBSchema {
  conversations: { key: string; value: Conversation };
  messages: { key: string; value: StoredMessage; indexes: { conversation: string } };
}

export type ChatDatabase = IDBPDatabase<ChatSchema>;

export const CHAT_DATABASE = 'tabserve-chat';

/** This page's connection to the database of chats. */
export const chatConnection = new DatabaseConnection<ChatDatabase>((closed) =>
  openPageDatabase<ChatSchema>(CHAT_DATABASE, closed, (database) => {
    database.createObjectStore('conversations', { keyPath: 'id' });
    database.createObjectStore('messages', { keyPath: 'id' }).createIndex('conversation', 'conversation');
  }),
);
