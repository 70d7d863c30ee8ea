import type { DBSchema, IDBPDatabase } from 'idb';
import { DatabaseConnection } from '../../../shared/storage/database-connection.ts';
import { openPageDatabase } from '../open-page-database.ts';

/** Name of the database of files that were added to a question and have not been sent. */
export const FILE_DATABASE = 'tabserve-files';

/** Key in local storage that is set while the database may have files, for when it cannot be opened. */
export const MAY_HAVE_FILES = 'tabserve-files';

/** What identifies an unsent file and its place. The attachments' code stores more with it. */
export interface StoredFileKey {
  readonly id: string;
  /** Id of the chat; for a new chat, the id of the tab. */
  readonly owner: string;
  /** When the file was added, in milliseconds since 1970. */
  readonly added: number;
}

interface FileSchema extends DBSchema {
  files: { key: string; value: StoredFileKey; indexes: { owner: string } };
}

export type FileDatabase = IDBPDatabase<FileSchema>;

/**
 * This page's connection to the database of unsent files. They have their own database, because a further object store
 * in the chats' database would keep pages of older builds from opening it.
 */
export const fileConnection = new DatabaseConnection<FileDatabase>((closed) =>
  openPageDatabase<FileSchema>(FILE_DATABASE, closed, (database) => {
    database.createObjectStore('files', { keyPath: 'id' }).createIndex('owner', 'owner');
  }),
);

/** Deletes files, and the note that there may be some if these were the last ones. */
export async function deleteFiles(database: FileDatabase, ids: readonly string[]): Promise<void> {
  const transaction = database.transaction('files', 'readwrite');
  for (const id of ids) await transaction.store.delete(id);
  if ((await transaction.store.count()) === 0) localStorage.removeItem(MAY_HAVE_FILES);
  await transaction.done;
}
