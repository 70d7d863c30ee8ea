import { openDB, type DBSchema, type IDBPDatabase } from 'idb';
import { closeWhenBlocking, DatabaseConnection } from '../../shared/storage/database-connection.ts';
import type { TrayItem } from './tray-item.ts';

/** Name of the database of files that were added to a question and have not been sent. */
export const FILE_DATABASE = 'tabserve-files';

/**
 * An unsent file, as it is stored. Until the file has been read, and also if the disk is full, only its name and size
 * are stored.
 */
export interface StoredFile extends Pick<
  TrayItem,
  'id' | 'name' | 'size' | 'part' | 'attachment' | 'note' | 'leftOut' | 'problem'
> {
  /** Id of the chat; empty for a new chat, because null cannot be an index key. */
  readonly owner: string;
  /** When the file was added, in milliseconds since 1970. */
  readonly added: number;
}

interface FileSchema extends DBSchema {
  files: { key: string; value: StoredFile; indexes: { owner: string } };
}

export type FileDatabase = IDBPDatabase<FileSchema>;

/**
 * This page's connection to the database of unsent files. They have their own database, because a further object store
 * in the chats' database would keep pages of older builds from opening it.
 */
export const fileConnection = new DatabaseConnection<FileDatabase>((closed) =>
  openDB<FileSchema>(FILE_DATABASE, 1, {
    upgrade(database) {
      database.createObjectStore('files', { keyPath: 'id' }).createIndex('owner', 'owner');
    },
    ...closeWhenBlocking(closed),
  }),
);
