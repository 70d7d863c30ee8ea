import type { BlobStore } from './blob-store.ts';
import { DATABASE_BLOBS, STORED_DOCUMENTS } from './document-database.ts';
import type { DocumentRecords, RecordChange } from './document-records.ts';
import { openOpfsBlobs } from './opfs-blobs.ts';

/** Held in shared mode by an engine between the first and the last step of a write, and alone by one that tidies up. */
const WRITE_LOCK = 'tabserve-documents-write';

export interface StoredDocumentsOptions {
  /** Default: the database of this site. */
  readonly records?: DocumentRecords;
  /** Default: the origin private file system, or the database where there is none. */
  readonly blobs?: () => Promise<BlobStore>;
  readonly locks: Pick<LockManager, 'request'>;
}

/**
 * The files and indexes of this device. Records and blobs cannot be written in one transaction, so a blob is written
 * before the record that names it, and deleted after it. A blob without a record is what an engine left behind that ended
 * in between; {@link tidyUp} deletes it.
 */
export class StoredDocuments {
  readonly records: DocumentRecords;
  readonly #openBlobs: () => Promise<BlobStore>;
  readonly #locks: Pick<LockManager, 'request'>;
  #blobs: Promise<BlobStore> | null = null;

  constructor({
    records = STORED_DOCUMENTS,
    blobs = async () => (await openOpfsBlobs()) ?? DATABASE_BLOBS,
    locks,
  }: StoredDocumentsOptions) {
    this.records = records;
    this.#openBlobs = blobs;
    this.#locks = locks;
  }

  get blobs(): Promise<BlobStore> {
    return (this.#blobs ??= this.#openBlobs());
  }

  /**
   * Stores a blob, then the record that names it.
   * @param record Stores the record. Resolves to null if the blob is no longer needed.
   * @throws ApiError `storage_unavailable`; then the blob is gone.
   */
  async add(name: string, content: Blob, record: () => Promise<unknown>): Promise<void> {
    const blobs = await this.blobs;
    await this.#locks.request(WRITE_LOCK, { mode: 'shared' }, async () => {
      let isNamed = false;
      try {
        await blobs.write(name, content);
        isNamed = (await record()) !== null;
      } finally {
        if (!isNamed) await blobs.delete(name).catch(() => {});
      }
    });
  }

  /** Makes changes of records, then deletes blobs. */
  async remove(names: readonly string[], changes: readonly RecordChange[]): Promise<void> {
    await this.records.write(changes);
    const blobs = await this.blobs;
    for (const name of names) await blobs.delete(name);
  }

  /**
   * Deletes blobs without a record, unless something is being written.
   * @param known Names of blobs that records name.
   */
  async tidyUp(known: () => Promise<ReadonlySet<string>>): Promise<void> {
    await this.#locks.request(WRITE_LOCK, { ifAvailable: true }, async (lock) => {
      if (lock === null) return;
      const blobs = await this.blobs;
      const wanted = await known();
      for (const name of await blobs.names()) if (!wanted.has(name)) await blobs.delete(name);
    });
  }
}
