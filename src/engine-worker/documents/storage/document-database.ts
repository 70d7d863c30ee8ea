import { openDB, type IDBPDatabase } from 'idb';
import { diskFull } from '../../../shared/storage/disk-full.ts';
import {
  closeWhenBlocking,
  DatabaseConnection,
  storageUnavailable,
} from '../../../shared/storage/database-connection.ts';
import type { BlobStore } from './blob-store.ts';
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

  async list<Table extends DocumentTable>(table: Table, start?: string) {
    const records: unknown[] = await (await connection.open()).getAll(table, rangeOf(start)).catch(unreadable);
    return newestFirst(records as DocumentTables[Table][]);
  },

  async change(run) {
    const transaction = beginChange(await connection.open());
    const ended = transaction.done;
    // If it is aborted, the error that is thrown below says why.
    ended.catch(() => {});
    try {
      const result = await run({
        async get<Table extends DocumentTable>(table: Table, id: string) {
          const record: unknown = await transaction.objectStore(table).get(id);
          return record as DocumentTables[Table] | undefined;
        },
        async list<Table extends DocumentTable>(table: Table, start?: string) {
          const records: unknown[] = await transaction.objectStore(table).getAll(rangeOf(start));
          return newestFirst(records as DocumentTables[Table][]);
        },
        put: async (table, record) => void (await transaction.objectStore(table).put(record)),
        delete: async (table, id) => transaction.objectStore(table).delete(id),
      });
      await ended;
      return result;
    } catch (thrown) {
      try {
        transaction.abort();
      } catch {
        // The browser has aborted it.
      }
      throw diskFull(thrown);
    }
  },
};

function beginChange(database: IDBPDatabase) {
  try {
    return database.transaction(DOCUMENT_TABLES, 'readwrite');
  } catch (thrown) {
    // Another tab is deleting the database.
    throw storageUnavailable(thrown);
  }
}

/** The ids that begin so. */
function rangeOf(start: string | undefined): IDBKeyRange | null {
  return start === undefined ? null : IDBKeyRange.bound(start, `${start}\uffff`);
}

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
