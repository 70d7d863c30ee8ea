import { sleep } from '../../../shared/timeout.ts';
import { trace } from '../../../shared/trace/trace.ts';
import { checkpointNames, indexName } from '../ids.ts';
import type { BlobStore } from './blob-store.ts';
import { STORED_DOCUMENTS } from './document-database.ts';
import {
  startOfStore,
  type DocumentRecords,
  type DocumentTable,
  type DocumentTables,
  type RecordStep,
  type StoreFileRecord,
} from './document-records.ts';
import { siteBlobs } from './site-blobs.ts';

/** Held in shared mode by an engine between the first and the last step of a write, and alone by one that tidies up. */
const WRITE_LOCK = 'tabserve-documents-write';

/**
 * The most blobs whose deletion a change or a write waits for. After a change of no more, nothing is left. Thousands take
 * half a minute, and nobody needs their end: if the engine ends before, the next one tidies up.
 */
const MOST_AWAITED = 100;

/** Milliseconds between two parts of tidying up, in which others write. */
const TIDYING_PAUSE = 100;

export interface StoredDocumentsOptions {
  /** Default: the database of this site. */
  readonly records?: DocumentRecords;
  /** Default: the origin private file system, or the database where there is none. */
  readonly blobs?: BlobStore;
  readonly locks: Pick<LockManager, 'request'>;
}

/**
 * The files and indexes of this device. Records and blobs cannot be written in one transaction, so a blob is written
 * before the record that names it, and deleted after it. A blob without a record is what an engine left behind that ended
 * in between; {@link tidyUp} deletes it.
 */
export class StoredDocuments {
  readonly records: Pick<DocumentRecords, 'get' | 'list'>;
  readonly blobs: BlobStore;
  readonly #change: DocumentRecords['change'];
  readonly #locks: Pick<LockManager, 'request'>;
  /** Names of blobs without a record that could not be deleted. */
  readonly #undeleted = new Set<string>();
  /** Names of blobs without a record whose deletion has begun. */
  readonly #deleting = new Set<string>();

  constructor({ records = STORED_DOCUMENTS, blobs = siteBlobs(), locks }: StoredDocumentsOptions) {
    this.records = records;
    this.blobs = blobs;
    this.#change = (run) => records.change(run);
    this.#locks = locks;
  }

  /**
   * Stores a blob, then the record that names it.
   * @param record Stores the record. Resolves to null if the blob is no longer needed.
   * @throws ApiError `storage_unavailable`; then the blob is gone.
   */
  async add(name: string, content: Blob, record: () => Promise<unknown>): Promise<void> {
    await this.#locks.request(WRITE_LOCK, { mode: 'shared' }, async () => {
      let isNamed = false;
      // A failed attempt may have left a blob of this name that could not be deleted. From now on there is another one.
      for (const names of [this.#undeleted, this.#deleting]) names.delete(name);
      try {
        await this.blobs.write(name, content);
        isNamed = (await record()) !== null;
      } finally {
        if (!isNamed) await this.#delete([name]);
      }
    });
  }

  /**
   * Changes records as {@link DocumentRecords.change} does, then deletes the blobs that none of them names any more, and the
   * bundles of which a file is deleted or indexed again. If these are many, it does not wait for them.
   */
  async change<Result>(run: (step: RecordStep) => Promise<Result>): Promise<Result> {
    const files: string[] = [];
    const indexes: StoreFileRecord[] = [];
    const interrupted: StoreFileRecord[] = [];
    /** Name of a bundle → the store of its files. */
    const broken = new Map<string, string>();
    const result = await this.#change(async (step) => {
      const own = await run({
        get: (table, id) => step.get(table, id),
        list: (table, start) => step.list(table, start),
        async put<Table extends DocumentTable>(table: Table, record: DocumentTables[Table]) {
          if (!isStoreFile(table, record)) return step.put(table, record);
          const former = await step.get('storeFiles', record.id);
          const isSame = former === undefined || former.version === record.version;
          if (!isSame) indexes.push(former);
          else if (record.status !== 'in_progress') interrupted.push(record);
          const kept = isSame && record.status === 'completed' ? record : withoutBundle(record);
          if (former?.bundle !== undefined && former.bundle !== kept.bundle) broken.set(former.bundle, former.store);
          await step.put('storeFiles', kept);
        },
        async delete(table, id) {
          if (table === 'files') files.push(id);
          const former = table === 'storeFiles' ? await step.get(table, id) : undefined;
          if (former !== undefined) indexes.push(former);
          if (former?.bundle !== undefined) broken.set(former.bundle, former.store);
          await step.delete(table, id);
        },
      });
      for (const store of new Set(broken.values())) {
        for (const file of await step.list('storeFiles', startOfStore(store)))
          if (file.bundle !== undefined && broken.has(file.bundle)) await step.put('storeFiles', withoutBundle(file));
      }
      return own;
    });
    const names = [...broken.keys(), ...files, ...indexes.map(indexName)];
    const deleted = this.#deleteAll(names, [...indexes, ...interrupted]);
    if (names.length <= MOST_AWAITED) await deleted;
    return result;
  }

  /**
   * Replaces a record by what `replace` returns for it.
   * @returns the new record; null if there was none, or if `replace` returned null.
   */
  update<Table extends DocumentTable>(
    table: Table,
    id: string,
    replace: (record: DocumentTables[Table]) => DocumentTables[Table] | null,
  ): Promise<DocumentTables[Table] | null> {
    return this.change(async (step) => {
      const record = await step.get(table, id);
      const replaced = record === undefined ? null : replace(record);
      if (replaced !== null) await step.put(table, replaced);
      return replaced;
    });
  }

  /**
   * Deletes blobs without a record, unless something is being written when it begins. Writes wait only for the deletion of a
   * part of them.
   * @param findNamed Returns whether a record names the blob with a name. Called for each part: in between, a file may be
   * indexed again under the name of what was left of it.
   */
  async tidyUp(findNamed: () => Promise<(name: string) => boolean>): Promise<void> {
    const tidyPart = (left?: readonly string[]) =>
      this.#locks.request(WRITE_LOCK, { ifAvailable: true }, async (lock) => {
        if (lock === null) return left;
        const isNamed = await findNamed();
        const unnamed = (left ?? (await this.blobs.names())).filter((name) => !isNamed(name));
        await this.#delete(unnamed.slice(0, MOST_AWAITED));
        return unnamed.slice(MOST_AWAITED);
      });
    for (let left = await tidyPart(); left !== undefined && left.length > 0; left = await tidyPart(left))
      await sleep(TIDYING_PAUSE);
  }

  /** Deletes blobs, and the checkpoints of files. Never rejects. */
  async #deleteAll(names: readonly string[], files: readonly StoreFileRecord[]): Promise<void> {
    await this.#delete(names);
    for (const file of files) await this.#deleteCheckpoints(file);
  }

  /** Deletes blobs that no record names. Those that cannot be deleted are left to the next call, or the next engine. */
  async #delete(names: readonly string[]): Promise<void> {
    const due = [...this.#undeleted, ...names];
    this.#undeleted.clear();
    for (const name of due) this.#deleting.add(name);
    for (const name of due) {
      // It may have been written anew meanwhile.
      if (!this.#deleting.delete(name)) continue;
      try {
        await this.blobs.delete(name);
      } catch (thrown) {
        this.#undeleted.add(name);
        trace('documents', name, 'cannot be deleted', String(thrown));
      }
    }
  }

  async #deleteCheckpoints(file: StoreFileRecord): Promise<void> {
    for (const name of checkpointNames(file)) {
      // If it cannot be read, it may be there.
      if ((await this.blobs.read(name).catch(() => undefined)) === null) return;
      await this.#delete([name]);
      if (this.#undeleted.has(name)) return;
    }
  }
}

function isStoreFile(table: DocumentTable, record: DocumentTables[DocumentTable]): record is StoreFileRecord {
  return table === 'storeFiles' && 'version' in record;
}

/** Returns the record of a file that is in no bundle. */
export function withoutBundle(record: StoreFileRecord): StoreFileRecord {
  const { bundle: _gone, ...rest } = record;
  return rest;
}
