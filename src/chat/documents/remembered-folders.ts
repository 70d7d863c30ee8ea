import type { DBSchema, IDBPDatabase } from 'idb';
import { DatabaseConnection } from '../../shared/storage/database-connection.ts';
import { openPageDatabase } from '../storage/open-page-database.ts';

/** A folder of this device that was added to a collection, and can be checked for changes. */
export interface RememberedFolder {
  readonly id: string;
  /** Id of the collection. */
  readonly collection: string;
  /** With this name begin the names of its files in the collection; no other folder of the collection has it. */
  readonly name: string;
  readonly handle: FileSystemDirectoryHandle;
}

interface FolderSchema extends DBSchema {
  folders: { key: string; value: RememberedFolder; indexes: { collection: string } };
}

/**
 * This page's connection to the database of remembered folders. They have their own database, because a further object
 * store in the chats' database would keep pages of older builds from opening it.
 */
const connection = new DatabaseConnection<IDBPDatabase<FolderSchema>>((closed) =>
  openPageDatabase<FolderSchema>('tabserve-folders', closed, (database) => {
    database.createObjectStore('folders', { keyPath: 'id' }).createIndex('collection', 'collection');
  }),
);

/*
 * All functions below throw ApiError `storage_unavailable` if the database cannot be opened.
 */

/** Remembers a folder by the name that its files get, unless the collection has one of that name. */
export async function rememberFolder(
  collection: string,
  name: string,
  handle: FileSystemDirectoryHandle,
): Promise<void> {
  if ((await foldersOf(collection)).some((folder) => folder.name === name)) return;
  await (await connection.open()).put('folders', { id: crypto.randomUUID(), collection, name, handle });
}

/** Lists the folders of a collection by their names. */
export async function foldersOf(collection: string): Promise<readonly RememberedFolder[]> {
  const folders = await (await connection.open()).getAllFromIndex('folders', 'collection', collection);
  return folders.toSorted((one, other) => one.name.localeCompare(other.name));
}

/** Forgets a folder. Its files stay in the collection. */
export async function forgetFolder(id: string): Promise<void> {
  await (await connection.open()).delete('folders', id);
}

/** Forgets the folders of all collections except these. */
export async function forgetFoldersExcept(collections: readonly string[]): Promise<void> {
  const database = await connection.open();
  for (const { id, collection } of await database.getAll('folders'))
    if (!collections.includes(collection)) await database.delete('folders', id);
}
