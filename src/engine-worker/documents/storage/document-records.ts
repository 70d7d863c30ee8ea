import type {
  Attributes,
  FilePurpose,
  IndexingError,
  IndexingState,
  StaticChunking,
} from '../../../shared/documents/document-objects.ts';

/** Every record names the API key that owns it, as lower-case hex SHA-256. Times are in milliseconds since 1970. */
interface OwnedRecord {
  readonly id: string;
  readonly owner: string;
  readonly created: number;
}

export interface FileRecord extends OwnedRecord {
  readonly bytes: number;
  readonly filename: string;
  readonly purpose: FilePurpose;
  /** Null: the file does not expire. */
  readonly expires: number | null;
}

export interface StoreRecord extends OwnedRecord {
  readonly name: string;
  readonly description: string | null;
  readonly metadata: Readonly<Record<string, string>>;
  /** Days after the last use. Null: the store does not expire. */
  readonly expiresAfter: number | null;
  readonly lastActive: number;
  /** Id of the embedding model, and the address of its files, by which a replaced model is recognised. */
  readonly model: string;
  readonly modelUrl: string;
  /** Root address of the site whose page created the store. Its models are used. */
  readonly site: string;
}

/** A file of a vector store. Its id is {@link storeFileId}. */
export interface StoreFileRecord extends OwnedRecord {
  readonly store: string;
  readonly file: string;
  /** Changes when the file is indexed again, so that a search notices it. */
  readonly version: string;
  /** The batch that added the file. Null: it was added alone. */
  readonly batch: string | null;
  readonly status: IndexingState;
  readonly error: IndexingError | null;
  readonly attributes: Attributes;
  /** Null: as the engine thinks best. */
  readonly chunking: StaticChunking | null;
  /** Bytes of passages and vectors. */
  readonly bytes: number;
  /** Bytes of the file itself. Absent if an earlier version of this software has added it. */
  readonly source?: number;
  /** Number of its passages. Absent until it is indexed. */
  readonly passages?: number;
  /** Id of the file that is deleted before this one counts as indexed. Absent: none. */
  readonly replaces?: string;
}

export interface BatchRecord extends OwnedRecord {
  readonly store: string;
  readonly isCancelled: boolean;
}

export interface DocumentTables {
  readonly files: FileRecord;
  readonly stores: StoreRecord;
  readonly storeFiles: StoreFileRecord;
  readonly batches: BatchRecord;
}

export const DOCUMENT_TABLES = ['files', 'stores', 'storeFiles', 'batches'] as const;
export type DocumentTable = keyof DocumentTables;

/** One step of a write: stores a record in place of the one with its id, or deletes the record with this id. */
export type RecordChange = {
  [Table in DocumentTable]:
    | { readonly table: Table; readonly put: DocumentTables[Table] }
    | { readonly table: Table; readonly delete: string };
}[DocumentTable];

/** The facts about files and vector stores. Every method throws an ApiError `storage_unavailable` if that fails. */
export interface DocumentRecords {
  get<Table extends DocumentTable>(table: Table, id: string): Promise<DocumentTables[Table] | undefined>;
  /** Lists the records of all keys, newest first. */
  list<Table extends DocumentTable>(table: Table): Promise<readonly DocumentTables[Table][]>;
  /** Makes all changes or none. */
  write(changes: readonly RecordChange[]): Promise<void>;
  /**
   * Replaces a record by what `change` returns for it, in one transaction.
   * @returns the new record; null if there was none, or if `change` returned null.
   */
  update<Table extends DocumentTable>(
    table: Table,
    id: string,
    change: (record: DocumentTables[Table]) => DocumentTables[Table] | null,
  ): Promise<DocumentTables[Table] | null>;
}

export function storeFileId(store: string, file: string): string {
  return `${store} ${file}`;
}

export function newestFirst<Entry extends { readonly created: number }>(entries: readonly Entry[]): Entry[] {
  return entries.toSorted((one, other) => other.created - one.created);
}
