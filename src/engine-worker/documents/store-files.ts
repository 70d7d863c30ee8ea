import type { DocumentCalls, FileToIndex } from '../../shared/documents/document-calls.ts';
import type { FileBatchObject, VectorStoreFileObject } from '../../shared/documents/document-objects.ts';
import { AUTO_CHUNKING } from './auto-chunking.ts';
import { countFiles } from './count-files.ts';
import type { Files } from './files.ts';
import { namesOfIndex, newId } from './ids.ts';
import { fileNotFound, storeNotFound } from './not-found.ts';
import {
  storeFileId,
  type BatchRecord,
  type RecordChange,
  type StoreFileRecord,
  type StoreRecord,
} from './storage/document-records.ts';
import type { StoredDocuments } from './storage/stored-documents.ts';
import { uniqueNow } from './unique-now.ts';
import type { VectorStores } from './vector-stores.ts';

interface StoreFilesOptions {
  readonly stored: StoredDocuments;
  readonly files: Files;
  readonly stores: VectorStores;
  /** Called when there are files to index. */
  readonly onAdded: () => void;
}

/** The files of vector stores, and the batches in which they were added. */
export class StoreFiles {
  readonly #options: StoreFilesOptions;

  constructor(options: StoreFilesOptions) {
    this.#options = options;
  }

  /**
   * Adds files to a store, where they wait to be indexed. A file that the store has is indexed again.
   * @throws ApiError `file_not_found`; then none is added.
   */
  async add(
    { id: store, owner }: StoreRecord,
    files: readonly FileToIndex[],
    batch: BatchRecord | null = null,
  ): Promise<readonly StoreFileRecord[]> {
    const { stored, files: known, onAdded } = this.#options;
    const sizes = new Map<string, number>();
    for (const { id } of files) sizes.set(id, (await known.find(owner, id)).bytes);
    const records = files.map(({ id: file, attributes, chunking, replaces }): StoreFileRecord => {
      const id = storeFileId(store, file);
      const version = newId('');
      return {
        id,
        owner,
        created: uniqueNow(),
        store,
        file,
        version,
        batch: batch?.id ?? null,
        status: 'in_progress',
        error: null,
        attributes,
        chunking,
        bytes: 0,
        source: sizes.get(file) ?? 0,
        ...(replaces !== undefined && replaces !== file && { replaces }),
      };
    });
    const outdated = await Promise.all(records.map(({ id }) => stored.records.get('storeFiles', id)));
    const changes: RecordChange[] = records.map((put) => ({ table: 'storeFiles', put }));
    if (batch !== null) changes.push({ table: 'batches', put: batch });
    await stored.remove(
      outdated.flatMap((record) => (record === undefined ? [] : namesOfIndex(record))),
      changes,
    );
    onAdded();
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
    const { records } = this.#options.stored;
    const changed = await records.update('storeFiles', found.id, (known) => ({ ...known, attributes }));
    if (changed === null) throw fileNotFound(id, ' of this vector store');
    return changed;
  }

  async delete(owner: string, store: string, file: string): Promise<void> {
    const found = await this.find(owner, store, file);
    await this.#options.stored.remove(namesOfIndex(found), [{ table: 'storeFiles', delete: found.id }]);
  }

  async createBatch(store: StoreRecord, files: readonly FileToIndex[]): Promise<FileBatchObject> {
    const { id, owner } = store;
    const batch: BatchRecord = { id: newId('vsfb_'), owner, created: uniqueNow(), store: id, isCancelled: false };
    return batchObject(batch, await this.add(store, files, batch));
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
    const { records } = this.#options.stored;
    await records.update('batches', id, (batch) => ({ ...batch, isCancelled: true }));
    for (const file of await this.#options.stores.filesOf(store)) {
      if (file.batch !== id || file.status !== 'in_progress') continue;
      const cancel = (known: StoreFileRecord) =>
        known.version === file.version && known.status === 'in_progress'
          ? ({ ...known, status: 'cancelled' } as const)
          : null;
      await records.update('storeFiles', file.id, cancel);
    }
    return this.findBatch(owner, store, id);
  }

  async #findBatch(owner: string, store: string, id: string): Promise<BatchRecord> {
    await this.#options.stores.find(owner, store);
    const batch = await this.#options.stored.records.get('batches', id);
    if (batch?.store !== store) throw storeNotFound(id, 'batch of files of this vector store');
    return batch;
  }
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
