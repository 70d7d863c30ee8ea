import type { BlobStore } from '../../../src/engine-worker/documents/storage/blob-store.ts';
import {
  DOCUMENT_TABLES,
  newestFirst,
  type DocumentRecords,
  type DocumentTable,
  type DocumentTables,
  type RecordStep,
} from '../../../src/engine-worker/documents/storage/document-records.ts';

/** Records and blobs in memory. They outlive workers, as those on the disk do. */
export class MemoryDocuments implements DocumentRecords {
  readonly #tables = {
    files: new Map<string, unknown>(),
    stores: new Map<string, unknown>(),
    storeFiles: new Map<string, unknown>(),
    batches: new Map<string, unknown>(),
  } satisfies Record<DocumentTable, Map<string, unknown>>;
  /** Name → content. */
  readonly contents = new Map<string, Blob>();
  /** Thrown by each write of a blob. Null: writes succeed. */
  writeError: Error | null = null;
  /** Thrown by each write of a record. Null: writes succeed. */
  recordError: Error | null = null;
  #last: Promise<unknown> = Promise.resolve();

  readonly blobs: BlobStore = {
    read: async (name) => this.contents.get(name) ?? null,
    write: async (name, content) => {
      if (this.writeError !== null) throw this.writeError;
      this.contents.set(name, content);
    },
    delete: async (name) => void this.contents.delete(name),
    names: async () => [...this.contents.keys()],
  };

  async get<Table extends DocumentTable>(table: Table, id: string): Promise<DocumentTables[Table] | undefined> {
    return structuredClone(this.#tables[table].get(id)) as DocumentTables[Table] | undefined;
  }

  async list<Table extends DocumentTable>(table: Table, start = ''): Promise<DocumentTables[Table][]> {
    const records = [...this.#tables[table]].filter(([id]) => id.startsWith(start)).map(([, record]) => record);
    return newestFirst(structuredClone(records) as DocumentTables[Table][]);
  }

  /** Runs one change after the other. */
  change<Result>(run: (step: RecordStep) => Promise<Result>): Promise<Result> {
    const changed = this.#last.then(() => this.#change(run));
    this.#last = changed.catch(() => {});
    return changed;
  }

  async #change<Result>(run: (step: RecordStep) => Promise<Result>): Promise<Result> {
    const before = DOCUMENT_TABLES.map((table) => [table, [...this.#tables[table]]] as const);
    try {
      return await run({
        get: (table, id) => this.get(table, id),
        list: (table, start) => this.list(table, start),
        put: async (table, record) => {
          if (this.recordError !== null) throw this.recordError;
          this.#tables[table].set(record.id, structuredClone(record));
        },
        delete: async (table, id) => void this.#tables[table].delete(id),
      });
    } catch (thrown) {
      for (const [table, records] of before) {
        this.#tables[table].clear();
        for (const [id, record] of records) this.#tables[table].set(id, record);
      }
      throw thrown;
    }
  }

  /** Number of records of all tables. */
  get size(): number {
    return Object.values(this.#tables).reduce((sum, table) => sum + table.size, 0);
  }
}
