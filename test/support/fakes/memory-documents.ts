import type { BlobStore } from '../../../src/engine-worker/documents/storage/blob-store.ts';
import {
  newestFirst,
  type DocumentRecords,
  type DocumentTable,
  type DocumentTables,
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

  async list<Table extends DocumentTable>(table: Table): Promise<DocumentTables[Table][]> {
    return newestFirst(structuredClone([...this.#tables[table].values()]) as DocumentTables[Table][]);
  }

  async write(changes: Parameters<DocumentRecords['write']>[0]): Promise<void> {
    for (const change of changes) {
      if ('put' in change) this.#tables[change.table].set(change.put.id, structuredClone(change.put));
      else this.#tables[change.table].delete(change.delete);
    }
  }

  async update<Table extends DocumentTable>(
    table: Table,
    id: string,
    change: (record: DocumentTables[Table]) => DocumentTables[Table] | null,
  ): Promise<DocumentTables[Table] | null> {
    const record = await this.get(table, id);
    const changed = record === undefined ? null : change(record);
    if (changed !== null) this.#tables[table].set(id, structuredClone(changed));
    return changed;
  }

  /** Number of records of all tables. */
  get size(): number {
    return Object.values(this.#tables).reduce((sum, table) => sum + table.size, 0);
  }
}
