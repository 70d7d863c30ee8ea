import { openDB, type IDBPDatabase } from 'idb';
import {
  closeWhenBlocking,
  DatabaseConnection,
  storageUnavailable,
} from '../../../shared/storage/database-connection.ts';
import type { BlobStore } from './blob-store.ts';
import { diskFull } from './disk-full.ts';
import {
  DOCUMENT_TABLES,
  newestFirst,
  type DocumentRecords,
  type DocumentTable,
  type DocumentTables,
} from './document-records.ts';

const DOCUMENT_DATABASE = 'tabserve-documents';

/** A database of its own, for the reason that stored answers have one. */
const connection = new DatabaseConnection<IDBPDatabase>((closed) =>
  openDB(DOCUMENT_DATABASE, 1, {
    upgrade(database) {
      for (const table of DOCUMENT_TABLES) database.createObjectStore(table, { keyPath: 'id' });
      // Used where there is no origin private file system.
      database.createObjectStore('blobs');
    },
    ...closeWhenBlocking(closed),
  }),
);

/**
 * Whether this device may have documents. If not, there is nothing to continue or to delete, and the database need not be
 * created.
 */
export async function hasDocuments(): Promise<boolean> {
  const databases = await indexedDB.databases?.().catch(() => null);
  return databases?.some(({ name }) => name === DOCUMENT_DATABASE) ?? true;
}

export const STORED_DOCUMENTS: DocumentRecords = {
  async get<Table extends DocumentTable>(table: Table, id: string) {
    const record: unknown = await (await connection.open()).get(table, id).catch(unreadable);
    return record as DocumentTables[Table] | undefined;
  },

  async list<Table extends DocumentTable>(table: Table) {
    const records: unknown[] = await (await connection.open()).getAll(table).catch(unreadable);
    return newestFirst(records as DocumentTables[Table][]);
  },

  async write(changes) {
    const step = (await connection.open()).transaction(DOCUMENT_TABLES, 'readwrite');
    try {
      const steps = changes.map((change) => {
        const table = step.objectStore(change.table);
        return 'put' in change ? table.put(change.put) : table.delete(change.delete);
      });
      // If one of them fails, the transaction is undone as a whole.
      await Promise.all([...steps, step.done]);
    } catch (thrown) {
      throw diskFull(thrown);
    }
  },

  async update(table, id, change) {
    const step = (await connection.open()).transaction(table, 'readwrite');
    try {
      const record = (await step.store.get(id)) as Parameters<typeof change>[0] | undefined;
      const changed = record === undefined ? null : change(record);
      if (changed !== null) await step.store.put(changed);
      await step.done;
      return changed;
    } catch (thrown) {
      throw diskFull(thrown);
    }
  },
};

export const DATABASE_BLOBS: BlobStore = {
  async read(name) {
    const content: unknown = await (await connection.open()).get('blobs', name).catch(unreadable);
    return (content as Blob | undefined) ?? null;
  },

  async write(name, content) {
    const database = await connection.open();
    await database.put('blobs', content, name).catch((thrown: unknown) => {
      throw diskFull(thrown);
    });
  },

  async delete(name) {
    await (await connection.open()).delete('blobs', name).catch(unreadable);
  },

  async names() {
    return (await (await connection.open()).getAllKeys('blobs').catch(unreadable)).map(String);
  },
};

function unreadable(thrown: unknown): never {
  throw storageUnavailable(thrown);
}
