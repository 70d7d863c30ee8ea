/** Source of these types: the published OpenAPI description of the API, 2.3.0. Times are in seconds since 1970. */

/** The most characters of a vector store's name. */
export const MAX_NAME = 256;

/**
 * Name in the metadata of a vector store, with the value `true`: its files belong to it. They are deleted with it, unless
 * another vector store has them, and do not expire once it has them.
 */
export const OWNS_FILES = 'tabserve_owns_files';

export const FILE_PURPOSES = ['assistants', 'batch', 'fine-tune', 'vision', 'user_data', 'evals'] as const;
export type FilePurpose = (typeof FILE_PURPOSES)[number];

export interface FileObject {
  readonly id: string;
  readonly object: 'file';
  readonly bytes: number;
  readonly created_at: number;
  readonly expires_at?: number;
  readonly filename: string;
  readonly purpose: FilePurpose;
  readonly status: 'processed';
}

export const INDEXING_STATES = ['in_progress', 'completed', 'failed', 'cancelled'] as const;
export type IndexingState = (typeof INDEXING_STATES)[number];

export type FileCounts = Readonly<Record<IndexingState | 'total', number>>;

export interface VectorStoreObject {
  readonly id: string;
  readonly object: 'vector_store';
  readonly created_at: number;
  readonly name: string;
  readonly description: string | null;
  readonly status: 'expired' | 'in_progress' | 'completed';
  readonly file_counts: FileCounts;
  /** Bytes of passages and vectors on this device. */
  readonly usage_bytes: number;
  readonly metadata: Readonly<Record<string, string>>;
  readonly last_active_at: number;
  readonly expires_after?: { readonly anchor: 'last_active_at'; readonly days: number };
  readonly expires_at: number | null;
  /** The model that computes the vectors of this store. The OpenAI API does not have this field. */
  readonly embedding_model: string;
  /** Whether {@link OWNS_FILES} is in `metadata`. The OpenAI API does not have this field. */
  readonly owns_files: boolean;
  /** How much of its files is indexed, and how much waits for it. The OpenAI API does not have this field. */
  readonly indexing: {
    readonly passages: number;
    /** Bytes of files. */
    readonly indexed_bytes: number;
    readonly waiting_bytes: number;
    /** Whether its files wait until a client changes that. */
    readonly paused: boolean;
  };
}

/** The most pairs of {@link Attributes}. */
export const MAX_ATTRIBUTES = 16;

export type Attributes = Readonly<Record<string, string | number | boolean>>;

/** How a file is split into passages. */
export interface StaticChunking {
  readonly max_chunk_size_tokens: number;
  readonly chunk_overlap_tokens: number;
}

export interface VectorStoreFileObject {
  /** The id of the file. */
  readonly id: string;
  readonly object: 'vector_store.file';
  readonly created_at: number;
  readonly vector_store_id: string;
  readonly status: IndexingState;
  readonly last_error: IndexingError | null;
  readonly usage_bytes: number;
  readonly attributes: Attributes;
  readonly chunking_strategy: { readonly type: 'static'; readonly static: StaticChunking };
}

export interface IndexingError {
  readonly code: 'server_error' | 'unsupported_file' | 'invalid_file';
  readonly message: string;
}

export interface FileBatchObject {
  readonly id: string;
  readonly object: 'vector_store.files_batch';
  readonly created_at: number;
  readonly vector_store_id: string;
  readonly status: IndexingState;
  readonly file_counts: FileCounts;
}

/** A passage that a search has found. */
export interface SearchResult {
  readonly file_id: string;
  readonly filename: string;
  /** Relevance, 0…1. */
  readonly score: number;
  readonly attributes: Attributes;
  readonly content: readonly { readonly type: 'text'; readonly text: string }[];
}

/** A condition on the attributes of files. */
export type AttributeFilter =
  | { readonly type: 'and' | 'or'; readonly filters: readonly AttributeFilter[] }
  | { readonly type: 'in' | 'nin'; readonly key: string; readonly value: readonly (string | number)[] }
  | {
      readonly type: 'eq' | 'ne' | 'gt' | 'gte' | 'lt' | 'lte';
      readonly key: string;
      readonly value: string | number | boolean;
    };
