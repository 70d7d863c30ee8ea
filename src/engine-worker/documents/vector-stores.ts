import { ApiError } from '../../shared/api-error.ts';
import type { DocumentCalls } from '../../shared/documents/document-calls.ts';
import { OWNS_FILES, type VectorStoreObject } from '../../shared/documents/document-objects.ts';
import { modelNotOnDevice } from '../../shared/engine/engine-errors.ts';
import type { FindModel } from '../completions/completions-options.ts';
import { countFiles } from './count-files.ts';
import type { IndexingProgress } from './indexer.ts';
import { newId } from './ids.ts';
import { storeNotFound } from './not-found.ts';
import { uniqueNow } from './unique-now.ts';
import { startOfStore, type RecordStep, type StoreFileRecord, type StoreRecord } from './storage/document-records.ts';
import type { StoredDocuments } from './storage/stored-documents.ts';

const DAY = 24 * 60 * 60 * 1000;

/** The vector stores of this device, each of one API key, without what is done with their files. */
export class VectorStores {
  readonly #stored: StoredDocuments;
  readonly #findModel: FindModel;

  constructor(stored: StoredDocuments, findModel: FindModel) {
    this.#stored = stored;
    this.#findModel = findModel;
  }

  /**
   * Returns the record of a new store, which is not stored yet.
   * @param site Root address of the site whose models are used.
   * @throws ApiError `model_not_found`
   */
  async newRecord(given: DocumentCalls['stores/create']['parameters'], site: string): Promise<StoreRecord> {
    const { owner, name, description, metadata, expiresAfter, model } = given;
    const entry = await this.#findModel(model, site);
    if (entry === null) throw modelNotOnDevice(model, 'model');
    const created = uniqueNow();
    return {
      id: newId('vs_'),
      owner,
      created,
      name,
      description,
      metadata,
      expiresAfter,
      lastActive: created,
      model,
      modelUrl: entry.modelUrl,
      site,
    };
  }

  /** Lists the stores of a key, newest first. */
  async list(owner: string): Promise<readonly StoreRecord[]> {
    return (await this.emptyExpired()).filter((store) => store.owner === owner);
  }

  /**
   * Removes the files of the stores of all keys that have expired.
   * @returns all stores, newest first.
   */
  async emptyExpired(): Promise<readonly StoreRecord[]> {
    const stores = await this.#stored.records.list('stores');
    for (const store of stores) if (hasExpired(store)) await this.#empty(store);
    return stores;
  }

  /** @throws ApiError `vector_store_not_found` */
  async find(owner: string, id: string): Promise<StoreRecord> {
    const store = await this.#stored.records.get('stores', id);
    if (store?.owner !== owner) throw storeNotFound(id);
    if (hasExpired(store)) await this.#empty(store);
    return store;
  }

  /**
   * Finds a store that can be searched and extended, and counts that as a use of it. The time of a use is stored only
   * if the store expires after its last one, so that a temporary chat can ask the others without a trace.
   * @throws ApiError `vector_store_not_found`; `invalid_value` if it has expired, or if its model was replaced.
   */
  async use(owner: string, id: string): Promise<StoreRecord> {
    const store = await this.find(owner, id);
    if (hasExpired(store)) {
      const sentence = `The vector store ${id} has expired, and its files were removed.`;
      throw new ApiError('invalid_value', sentence, { param: 'vector_store_id' });
    }
    await this.requireModel(store);
    if (store.expiresAfter !== null)
      await this.#stored.update('stores', id, (known) => ({ ...known, lastActive: Date.now() }));
    return store;
  }

  /**
   * Checks that the model of a store is still the one that computed its vectors.
   * @throws ApiError `model_not_found`, `invalid_value`
   */
  async requireModel({ id, model, modelUrl, site }: StoreRecord): Promise<void> {
    const param = 'vector_store_id';
    const entry = await this.#findModel(model, site);
    if (entry === null) {
      const sentence = `The model \`${model}\`, which computed the vectors of ${id}, is not on this device. Download it again, or create a new vector store.`;
      throw new ApiError('model_not_found', sentence, { param });
    }
    if (entry.modelUrl !== modelUrl) {
      const sentence = `The vectors of ${id} are of another model of the name \`${model}\`: this site has replaced it since. Create a new vector store.`;
      throw new ApiError('invalid_value', sentence, { param });
    }
  }

  async update({ owner, id, ...changes }: DocumentCalls['stores/update']['parameters']): Promise<StoreRecord> {
    await this.find(owner, id);
    // The days until a store expires are counted from now on.
    const use = changes.expiresAfter == null ? {} : { lastActive: Date.now() };
    const changed = await this.#stored.update('stores', id, (store) => ({ ...store, ...changes, ...use }));
    if (changed === null) throw storeNotFound(id);
    return changed;
  }

  async delete(owner: string, id: string): Promise<void> {
    await this.find(owner, id);
    await this.#stored.change(async (step) => {
      const store = await step.get('stores', id);
      if (store === undefined) return;
      await deleteFilesOf(step, store);
      await step.delete('stores', id);
      for (const batch of await step.list('batches')) if (batch.store === id) await step.delete('batches', batch.id);
    });
  }

  /** Lists the files of a store, newest first. */
  filesOf(id: string): Promise<readonly StoreFileRecord[]> {
    return this.#stored.records.list('storeFiles', startOfStore(id));
  }

  /** Lists the files of all stores, newest first. */
  allFiles(): Promise<readonly StoreFileRecord[]> {
    return this.#stored.records.list('storeFiles');
  }

  /** Removes the files of a store that has expired. */
  async #empty(store: StoreRecord): Promise<void> {
    if ((await this.filesOf(store.id)).length > 0) await this.#stored.change((step) => deleteFilesOf(step, store));
  }
}

/** Whether the files of a store belong to it. */
export function ownsFiles({ metadata }: StoreRecord): boolean {
  return metadata[OWNS_FILES] === 'true';
}

/** Removes the files of a store. Those that belong to it alone are deleted. */
async function deleteFilesOf(step: RecordStep, store: StoreRecord): Promise<void> {
  const files = await step.list('storeFiles', startOfStore(store.id));
  for (const { id } of files) await step.delete('storeFiles', id);
  if (!ownsFiles(store)) return;
  const kept = new Set((await step.list('storeFiles')).map(({ file }) => file));
  for (const { file } of files) if (!kept.has(file)) await step.delete('files', file);
}

function expiry({ expiresAfter, lastActive }: StoreRecord): number | null {
  return expiresAfter === null ? null : lastActive + expiresAfter * DAY;
}

function hasExpired(store: StoreRecord): boolean {
  return (expiry(store) ?? Infinity) <= Date.now();
}

/**
 * @param files The files of the store.
 * @param progress How far the file is that is being indexed, of this or another store.
 */
export function storeObject(
  store: StoreRecord,
  files: readonly StoreFileRecord[],
  progress: IndexingProgress | null,
): VectorStoreObject {
  const { id, created, name, description, metadata, expiresAfter, lastActive, model } = store;
  const expires = expiry(store);
  const counts = countFiles(files);
  return {
    id,
    object: 'vector_store',
    created_at: Math.floor(created / 1000),
    name,
    description,
    status: hasExpired(store) ? 'expired' : counts.in_progress > 0 ? 'in_progress' : 'completed',
    file_counts: counts,
    usage_bytes: files.reduce((sum, { bytes }) => sum + bytes, 0),
    metadata,
    last_active_at: Math.floor(lastActive / 1000),
    ...(expiresAfter !== null && { expires_after: { anchor: 'last_active_at', days: expiresAfter } }),
    expires_at: expires === null ? null : Math.floor(expires / 1000),
    embedding_model: model,
    owns_files: ownsFiles(store),
    indexing: { ...summedUp(files, progress), paused: store.paused === true },
  };
}

/** Adds up what of the files is indexed, the part of the file included that is being indexed. */
function summedUp(
  files: readonly StoreFileRecord[],
  progress: IndexingProgress | null,
): Omit<VectorStoreObject['indexing'], 'paused'> {
  let [passages, indexed, waiting] = [0, 0, 0];
  for (const { id, status, source = 0, passages: own = 0 } of files) {
    const { done, total } = progress?.id === id && progress.total > 0 ? progress : { done: 0, total: 1 };
    if (status === 'completed') [passages, indexed] = [passages + own, indexed + source];
    if (status !== 'in_progress') continue;
    const share = done / total;
    passages += done;
    indexed += Math.round(source * share);
    waiting += Math.round(source * (1 - share));
  }
  return { passages, indexed_bytes: indexed, waiting_bytes: waiting };
}
