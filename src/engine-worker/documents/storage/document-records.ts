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
  /** Whether its files wait until this is false again. Default: false. */
  readonly paused?: boolean;
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
  /** How often the engine has begun to read the file and may have ended meanwhile. Default: 0. */
  readonly readings?: number;
  /** Id of the file that is deleted before this one counts as indexed. Absent: none. */
  readonly replaces?: string;
  /** Name of the blob with what is searched of this file and others of its store. Absent: it is in none. */
  readonly bundle?: string;
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

/** Reads and changes records within one transaction. */
export interface RecordStep {
  get<Table extends DocumentTable>(table: Table, id: string): Promise<DocumentTables[Table] | undefined>;
  /** See {@link DocumentRecords.list}. */
  list<Table extends DocumentTable>(table: Table, start?: string): Promise<readonly DocumentTables[Table][]>;
  /** Stores a record in place of the one with its id. */
  put<Table extends DocumentTable>(table: Table, record: DocumentTables[Table]): Promise<void>;
  delete(table: DocumentTable, id: string): Promise<void>;
}

/** The facts about files and vector stores. Every method throws an ApiError `storage_unavailable` if that fails. */
export interface DocumentRecords {
  get<Table extends DocumentTable>(table: Table, id: string): Promise<DocumentTables[Table] | undefined>;
  /**
   * Lists the records of all keys, newest first.
   * @param start Only those whose ids begin so. Default: all.
   */
  list<Table extends DocumentTable>(table: Table, start?: string): Promise<readonly DocumentTables[Table][]>;
  /**
   * Makes all changes of `run` or, if it throws, none. No other change comes in between.
   * @param run Awaits nothing but its step: the browser ends a transaction without a request.
   */
  change<Result>(run: (step: RecordStep) => Promise<Result>): Promise<Result>;
}

export function storeFileId(store: string, file: string): string {
  return startOfStore(store) + file;
}

/** How the ids of all files of a store begin. */
export function startOfStore(store: string): string {
  return `${store} `;
}

export function newestFirst<Entry extends { readonly created: number }>(entries: readonly Entry[]): Entry[] {
  return entries.toSorted((one, other) => other.created - one.created);
}
