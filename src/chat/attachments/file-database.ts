import { openDB, type DBSchema, type IDBPDatabase } from 'idb';
import { closeWhenBlocking, DatabaseConnection } from '../../shared/storage/database-connection.ts';
import type { TrayItem } from './tray-item.ts';

/** Name of the database of files that were added to a question and not sent yet. */
export const FILE_DATABASE = 'tabserve-files';

/** A waiting file as it is stored. It has a name and a size only until it is read, and for good if the disk is full. */
export interface KeptFile extends Pick<TrayItem, 'id' | 'name' | 'size' | 'part' | 'attachment' | 'note' | 'problem'> {
  /** Id of the chat; empty for a new chat, since null cannot be an index key. */
  readonly owner: string;
  /** When the file was added, in milliseconds since 1970. */
  readonly added: number;
}

interface FileSchema extends DBSchema {
  files: { key: string; value: KeptFile; indexes: { owner: string } };
}

export type FileDatabase = IDBPDatabase<FileSchema>;

/**
 * This page's connection to the database of waiting files. They have a database of their own: pages of older builds can
 * open the chats' database only if it gets no further stores.
 */
export const fileConnection = new DatabaseConnection<FileDatabase>((closed) =>
  openDB<FileSchema>(FILE_DATABASE, 1, {
    upgrade(database) {
      database.createObjectStore('files', { keyPath: 'id' }).createIndex('owner', 'owner');
    },
    ...closeWhenBlocking(closed),
  }),
);
