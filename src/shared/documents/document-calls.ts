import type {
  AttributeFilter,
  Attributes,
  FileBatchObject,
  FileObject,
  FilePurpose,
  IndexingState,
  SearchResult,
  StaticChunking,
  VectorStoreFileObject,
  VectorStoreObject,
} from './document-objects.ts';

/** Every call names the API key, as lower-case hex SHA-256. Objects of other keys do not exist for it. */
interface Owned {
  readonly owner: string;
}

interface Call<Parameters, Result> {
  readonly parameters: Owned & Parameters;
  readonly result: Result;
}

/** A call that makes something. If a run of the service worker ends before `documents/confirm`, the same call of another run is a repetition. */
interface Sent {
  /** Names the run of the service worker. Absent if an earlier version of this software sends the call. */
  readonly sender?: string;
}

interface OfStore {
  /** Id of the vector store. */
  readonly store: string;
}

interface WithId {
  readonly id: string;
}

/** A file that shall be added to a vector store. */
export interface FileToIndex extends WithId {
  readonly attributes: Attributes;
  /** Null: as the engine thinks best. */
  readonly chunking: StaticChunking | null;
  /** Id of the file that is deleted when this one is indexed, so that one of the two can always be searched. Default: none. */
  readonly replaces?: string;
}

export interface StoreSearch {
  readonly queries: readonly string[];
  /** Null: all files. */
  readonly filter: AttributeFilter | null;
  /** Number of results, 1…50. */
  readonly limit: number;
  /** The lowest score of a result, 0…1. */
  readonly threshold: number;
}

/**
 * Calls from the service worker to the engine about files and vector stores. In addition to the errors of every call
 * they fail with `file_not_found`, `vector_store_not_found`, or `storage_unavailable`. Lists are newest first.
 */
export interface DocumentCalls {
  /** `expiresAfter` is in seconds. */
  'files/create': Call<
    Sent & {
      readonly content: Blob;
      readonly filename: string;
      readonly purpose: FilePurpose;
      readonly expiresAfter: number | null;
    },
    FileObject
  >;
  /** The service worker has the result of a call that made this. */
  'documents/confirm': Call<WithId, null>;
  'files/list': Call<object, readonly FileObject[]>;
  'files/find': Call<WithId, FileObject>;
  'files/content': Call<WithId, Blob>;
  /** Deletes a file, also from every vector store. */
  'files/delete': Call<WithId, null>;
  /** `expiresAfter` is in days; `model` is the id of the embedding model. */
  'stores/create': Call<
    Sent & {
      readonly name: string;
      readonly description: string | null;
      readonly metadata: Readonly<Record<string, string>>;
      readonly expiresAfter: number | null;
      readonly model: string;
      readonly files: readonly FileToIndex[];
    },
    VectorStoreObject
  >;
  'stores/list': Call<object, readonly VectorStoreObject[]>;
  'stores/find': Call<WithId, VectorStoreObject>;
  /** Replaces the fields that are given; see `stores/create`. */
  'stores/update': Call<
    WithId & {
      readonly name?: string;
      readonly metadata?: Readonly<Record<string, string>>;
      readonly expiresAfter?: number | null;
      /** Whether its files wait to be indexed until this is false again. */
      readonly paused?: boolean;
    },
    VectorStoreObject
  >;
  /** Deletes a vector store, but not its files. */
  'stores/delete': Call<WithId, null>;
  /** Finds passages, best first. Fails with `invalid_value` if the store has expired or its model was replaced. */
  'stores/search': Call<WithId & StoreSearch, readonly SearchResult[]>;
  /**
   * Begins to index a file. A file that the store has is indexed again. `vectors` is the id of a file with the result of
   * `store-files/vectors` for the same text, which is then deleted; with it the file is indexed at once, or fails with
   * `invalid_value` if they do not fit.
   */
  'store-files/add': Call<OfStore & { readonly file: FileToIndex; readonly vectors?: string }, VectorStoreFileObject>;
  /** The vectors of an indexed file. */
  'store-files/vectors': Call<OfStore & WithId, Blob>;
  /**
   * `batch` is the id of the batch that added the files. Null: all files. `status` is the state of those that are listed,
   * which only earlier builds name, because a page may begin after a file that has another state now. Null: all.
   */
  'store-files/list': Call<
    OfStore & { readonly batch: string | null; readonly status: IndexingState | null },
    readonly VectorStoreFileObject[]
  >;
  'store-files/find': Call<OfStore & WithId, VectorStoreFileObject>;
  'store-files/update': Call<OfStore & WithId & { readonly attributes: Attributes }, VectorStoreFileObject>;
  /** The text of a file, as it was indexed. */
  'store-files/text': Call<OfStore & WithId, string>;
  /** Removes a file from a vector store, but does not delete it. */
  'store-files/delete': Call<OfStore & WithId, null>;
  'batches/create': Call<OfStore & { readonly files: readonly FileToIndex[] }, FileBatchObject>;
  'batches/find': Call<OfStore & WithId, FileBatchObject>;
  /** Cancels the indexing of files that are not indexed yet. */
  'batches/cancel': Call<OfStore & WithId, FileBatchObject>;
}
