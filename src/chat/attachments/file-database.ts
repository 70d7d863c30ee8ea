import { openDB, type DBSchema, type IDBPDatabase } from 'idb';
import { closeWhenBlocking, DatabaseConnection } from '../../shared/storage/database-connection.ts';
import type { TrayItem } from './tray-item.ts';

/** Name of the database of files that wait for a question. */
export const FILE_DATABASE = 'tabserve-files';

/** A file as it waits on this device: only its name and size until it has been read, or where there is no room for more. */
export interface KeptFile extends Pick<TrayItem, 'id' | 'name' | 'size' | 'part' | 'attachment' | 'note' | 'problem'> {
  /** Id of the chat; empty for the new one: null can be no key of an index. */
  readonly owner: string;
  /** Milliseconds since 1970. */
  readonly added: number;
}

interface FileSchema extends DBSchema {
  files: { key: string; value: KeptFile; indexes: { owner: string } };
}

export type FileDatabase = IDBPDatabase<FileSchema>;

/** The connection of this page. Beside the chats' database and not in it: a page of an older build could not open that one any more if it got a further store. */
export const fileConnection = new DatabaseConnection<FileDatabase>((closed) =>
  openDB<FileSchema>(FILE_DATABASE, 1, {
    upgrade(database) {
      database.createObjectStore('files', { keyPath: 'id' }).createIndex('owner', 'owner');
    },
    ...closeWhenBlocking(closed),
  }),
);
