import { ApiError } from '../../shared/api-error.ts';
import type { DocumentCalls, FileToIndex } from '../../shared/documents/document-calls.ts';
import type { FileBatchObject, VectorStoreFileObject } from '../../shared/documents/document-objects.ts';
import { AUTO_CHUNKING } from './auto-chunking.ts';
import { countFiles } from './count-files.ts';
import { deleteFiles, deleteReplaced, findFile } from './files.ts';
import { indexName, newId } from './ids.ts';
import { fileNotFound, storeNotFound } from './not-found.ts';
import {
  startOfStore,
  storeFileId,
  type BatchRecord,
  type RecordStep,
  type StoreFileRecord,
  type StoreRecord,
} from './storage/document-records.ts';
import type { StoredDocuments } from './storage/stored-documents.ts';
import { uniqueNow } from './unique-now.ts';
import { ownsFiles, type VectorStores } from './vector-stores.ts';

interface StoreFilesOptions {
  readonly stored: StoredDocuments;
  readonly stores: VectorStores;
  /** Called when there are files to index. */
  readonly onAdded: () => void;
}

/** Passages and vectors of a file, as they are stored. */
export interface BuiltIndex {
  readonly index: Blob;
  /** Number of passages. */
  readonly passages: number;
  /** Id of the file with the vectors, which is deleted when the index is stored. */
  readonly vectors: string;
}

interface AddOptions {
  /** The batch that adds them. Default: none. */
  readonly batch?: BatchRecord | null;
  /** Whether the store is stored, too. Default: it must be there. */
  readonly isNew?: boolean;
  /** The index of the only file, so that it need not wait. Default: none. */
  readonly built?: BuiltIndex | null;
}

/** The files of vector stores, and the batches in which they were added. */
export class StoreFiles {
  readonly #options: StoreFilesOptions;

  constructor(options: StoreFilesOptions) {
    this.#options = options;
  }

  /**
   * Adds files to a store, where they wait to be indexed. A file that the store has is indexed again.
   * @throws ApiError `file_not_found`, `vector_store_not_found`; then none is added.
   */
  async add(
    store: StoreRecord,
    files: readonly FileToIndex[],
    { batch = null, isNew = false, built = null }: AddOptions = {},
  ): Promise<readonly StoreFileRecord[]> {
    const { stored, onAdded } = this.#options;
    const { owner } = store;
    const builtVersion = newId('');
    let records: readonly StoreFileRecord[] = [];
    const add = async (step: RecordStep) => {
      if (isNew) await step.put('stores', store);
      const known = await step.get('stores', store.id);
      if (known === undefined) throw storeNotFound(store.id);
      const added: StoreFileRecord[] = [];
      for (const { id: file, attributes, chunking, replaces } of files) {
        const found = await findFile(step, owner, file);
        if (found.expires !== null && ownsFiles(known)) await step.put('files', { ...found, expires: null });
        if (replaces !== undefined) await requireReplaced(step, store.id, file, replaces);
        const record: StoreFileRecord = {
          id: storeFileId(store.id, file),
          owner,
          created: uniqueNow(),
          store: store.id,
          file,
          version: built === null ? newId('') : builtVersion,
          batch: batch?.id ?? null,
          status: built === null ? 'in_progress' : 'completed',
          error: null,
          attributes,
          chunking,
          bytes: built?.index.size ?? 0,
          ...(built !== null && { passages: built.passages }),
          source: found.bytes,
          ...(replaces !== undefined && { replaces }),
        };
        await step.put('storeFiles', record);
        added.push(record);
        if (built !== null) await deleteReplaced(step, record);
      }
      if (built !== null) await deleteFiles(step, [built.vectors]);
      if (batch !== null) await step.put('batches', batch);
      records = added;
    };
    const [only] = files;
    if (built === null || only === undefined) await stored.change(add);
    else {
      const name = indexName({ id: storeFileId(store.id, only.id), version: builtVersion });
      await stored.add(name, built.index, () => stored.change(add));
    }
    if (records.length > 0) onAdded();
    return records;
  }

  async list(given: DocumentCalls['store-files/list']['parameters']): Promise<readonly StoreFileRecord[]> {
    const { owner, store, batch, status } = given;
    if (batch === null) await this.#options.stores.find(owner, store);
    else await this.#findBatch(owner, store, batch);
    const files = await this.#options.stores.filesOf(store);
    return files.filter(
      (file) => (batch === null || file.batch === batch) && (status === null || file.status === status),
    );
  }

  /** @throws ApiError `file_not_found`, `vector_store_not_found` */
  async find(owner: string, store: string, file: string): Promise<StoreFileRecord> {
    const { stores, stored } = this.#options;
    await stores.find(owner, store);
    const record = await stored.records.get('storeFiles', storeFileId(store, file));
    if (record === undefined) throw fileNotFound(file, ' of this vector store');
    return record;
  }

  async update(given: DocumentCalls['store-files/update']['parameters']): Promise<StoreFileRecord> {
    const { owner, store, id, attributes } = given;
    const found = await this.find(owner, store, id);
    const { stored } = this.#options;
    const changed = await stored.update('storeFiles', found.id, (known) => ({ ...known, attributes }));
    if (changed === null) throw fileNotFound(id, ' of this vector store');
    return changed;
  }

  async delete(owner: string, store: string, file: string): Promise<void> {
    const found = await this.find(owner, store, file);
    await this.#options.stored.change((step) => step.delete('storeFiles', found.id));
  }

  async createBatch(store: StoreRecord, files: readonly FileToIndex[]): Promise<FileBatchObject> {
    const { id, owner } = store;
    const batch: BatchRecord = { id: newId('vsfb_'), owner, created: uniqueNow(), store: id, isCancelled: false };
    return batchObject(batch, await this.add(store, files, { batch }));
  }

  async findBatch(owner: string, store: string, id: string): Promise<FileBatchObject> {
    const batch = await this.#findBatch(owner, store, id);
    const files = await this.#options.stores.filesOf(store);
    return batchObject(
      batch,
      files.filter((file) => file.batch === id),
    );
  }

  async cancelBatch(owner: string, store: string, id: string): Promise<FileBatchObject> {
    await this.#findBatch(owner, store, id);
    await this.#options.stored.change(async (step) => {
      const batch = await step.get('batches', id);
      if (batch === undefined) throw batchNotFound(id);
      const files = await step.list('storeFiles', startOfStore(store));
      const waiting = files.filter((file) => file.batch === id && file.status === 'in_progress');
      for (const file of waiting) await step.put('storeFiles', { ...file, status: 'cancelled' });
      // A batch that has ended before stays as it is.
      if (waiting.length > 0) await step.put('batches', { ...batch, isCancelled: true });
    });
    return this.findBatch(owner, store, id);
  }

  async #findBatch(owner: string, store: string, id: string): Promise<BatchRecord> {
    await this.#options.stores.find(owner, store);
    const batch = await this.#options.stored.records.get('batches', id);
    if (batch?.store !== store) throw batchNotFound(id);
    return batch;
  }
}

/**
 * Checks that a file can take the place of another one of its store.
 * @throws ApiError `file_not_found`, `invalid_value`
 */
async function requireReplaced(step: RecordStep, store: string, file: string, replaces: string): Promise<void> {
  const param = 'replaces_file_id';
  if (replaces === file) {
    const sentence = `The file ${file} cannot take its own place. Leave out \`${param}\`: a file that is added again is indexed again.`;
    throw new ApiError('invalid_value', sentence, { param });
  }
  if ((await step.get('storeFiles', storeFileId(store, replaces))) !== undefined) return;
  // The browser repeats a request whose answer it did not get; the first one may have replaced it.
  const known = await step.get('storeFiles', storeFileId(store, file));
  if (known?.replaces !== replaces) throw fileNotFound(replaces, ' of this vector store', param);
}

function batchNotFound(id: string): ApiError {
  return storeNotFound(id, 'batch of files of this vector store');
}

export function storeFileObject(record: StoreFileRecord): VectorStoreFileObject {
  const { file, created, store, status, error, bytes, attributes, chunking } = record;
  return {
    id: file,
    object: 'vector_store.file',
    created_at: Math.floor(created / 1000),
    vector_store_id: store,
    status,
    last_error: error,
    usage_bytes: bytes,
    attributes,
    chunking_strategy: { type: 'static', static: chunking ?? AUTO_CHUNKING },
  };
}

function batchObject(batch: BatchRecord, files: readonly StoreFileRecord[]): FileBatchObject {
  const counts = countFiles(files);
  const ended = batch.isCancelled
    ? 'cancelled'
    : counts.total > 0 && counts.failed === counts.total
      ? 'failed'
      : 'completed';
  return {
    id: batch.id,
    object: 'vector_store.files_batch',
    created_at: Math.floor(batch.created / 1000),
    vector_store_id: batch.store,
    status: counts.in_progress > 0 ? 'in_progress' : ended,
    file_counts: counts,
  };
}
