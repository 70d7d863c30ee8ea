import { ApiError } from '../../shared/api-error.ts';
import type { IndexingError } from '../../shared/documents/document-objects.ts';
import { isTransient } from '../../shared/http/retry-after.ts';
import { sleep } from '../../shared/timeout.ts';
import { trace } from '../../shared/trace/trace.ts';
import { passageLimits } from './auto-chunking.ts';
import { buildIndex } from './build-index.ts';
import type { EmbedTexts } from './embed-texts.ts';
import { checkpointName, indexName } from './ids.ts';
import { readFileText, UnreadableFile } from './read-file-text.ts';
import type { StoreFileRecord } from './storage/document-records.ts';
import type { StoredDocuments } from './storage/stored-documents.ts';

/** Held by the engine that indexes. Engines of two builds may live at once. */
const INDEXING_LOCK = 'tabserve-documents-indexing';

/** How often the indexing of a file is repeated after failures that may pass. */
const MAX_ATTEMPTS = 5;

export interface IndexerOptions {
  readonly stored: StoredDocuments;
  readonly embed: EmbedTexts;
  /** Deletes a file that another one replaces. */
  readonly deleteFile: (owner: string, id: string) => Promise<void>;
  readonly locks: Pick<LockManager, 'request'>;
  /** Milliseconds before the second attempt after a failure; more before later ones. Default: 2000. */
  readonly retryDelay?: number;
}

/** How far a file is that is being indexed. */
export interface IndexingProgress {
  /** Id of its record. */
  readonly id: string;
  /** Passages with a vector, and all. */
  readonly done: number;
  readonly total: number;
}

/** Thrown when the file that is being indexed was deleted, replaced or cancelled. */
const UNWANTED = new Error('The file need not be indexed any longer.');

/** Indexes the files of vector stores that wait for it, one after the other, the oldest first. */
export class Indexer {
  readonly #options: Required<IndexerOptions>;
  #progress: IndexingProgress | null = null;
  #running = false;
  #isAwaited = false;

  constructor(options: IndexerOptions) {
    this.#options = { retryDelay: 2000, ...options };
  }

  /** How far the file is that is being indexed; null if none is. */
  get progress(): IndexingProgress | null {
    return this.#progress;
  }

  /** Indexes all files that wait for it. Call it when there may be some. */
  wake(): void {
    this.#isAwaited = true;
    if (this.#running) return;
    this.#running = true;
    void this.#run();
  }

  async #run(): Promise<void> {
    while (this.#isAwaited) {
      this.#isAwaited = false;
      try {
        await this.#options.locks.request(INDEXING_LOCK, async () => {
          for (let files = await this.#waiting(); files.length > 0; files = await this.#waiting()) {
            for (const file of files) await this.#index(file);
          }
        });
      } catch (thrown) {
        // The database failed. The next call of `wake` tries it again.
        trace('documents', 'indexing has stopped', String(thrown));
      }
    }
    // In the same step as the last look at `#isAwaited`, so that no call of `wake` in between is lost.
    this.#running = false;
  }

  /** The files that wait, the oldest first. */
  async #waiting(): Promise<readonly StoreFileRecord[]> {
    const files = await this.#options.stored.records.list('storeFiles');
    return files.filter(({ status }) => status === 'in_progress').toReversed();
  }

  async #index(file: StoreFileRecord): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.#tryIndex(file).finally(() => (this.#progress = null));
      } catch (thrown) {
        if (thrown === UNWANTED) return;
        trace('documents', file.file, 'is not indexed', String(thrown));
        const mayPass = thrown instanceof ApiError && isTransient(thrown) && attempt < MAX_ATTEMPTS;
        if (!mayPass) return this.#fail(file, thrown);
        await sleep(this.#options.retryDelay * attempt);
      }
    }
  }

  async #tryIndex(file: StoreFileRecord): Promise<void> {
    const { stored, embed, deleteFile } = this.#options;
    const [store, source, content] = await Promise.all([
      stored.records.get('stores', file.store),
      stored.records.get('files', file.file),
      (await stored.blobs).read(file.file),
    ]);
    if (store === undefined || source === undefined) {
      await stored.remove([], [{ table: 'storeFiles', delete: file.id }]);
      return;
    }
    if (content === null) {
      const sentence = 'The content of the file is missing on this device. Upload it again.';
      throw new UnreadableFile('invalid_file', sentence);
    }
    const blobs = await stored.blobs;
    const check = async () => {
      const known = await stored.records.get('storeFiles', file.id);
      if (known === undefined || !isWanted(known, file)) throw UNWANTED;
    };
    const index = await buildIndex(await readFileText(content, source.filename), {
      limits: passageLimits(file.chunking),
      model: store.model,
      site: store.site,
      embed,
      check,
      onProgress: (done, total) => (this.#progress = { id: file.id, done, total }),
      checkpoint: await blobs.read(checkpointName(file)),
      // Stored like any blob whose record exists, so that it is deleted if that is deleted meanwhile.
      saveCheckpoint: (checkpoint) => stored.add(checkpointName(file), checkpoint, check),
    });
    const passages = this.#progress?.total ?? 0;
    const complete = (known: StoreFileRecord) =>
      isWanted(known, file) ? ({ ...known, status: 'completed', bytes: index.size, passages } as const) : null;
    await stored.add(indexName(file), index, async () => {
      await check();
      // Before this file counts as indexed: if the engine ends in between, the next one indexes this file again.
      if (file.replaces !== undefined) await deleteFile(file.owner, file.replaces);
      return stored.records.update('storeFiles', file.id, complete);
    });
    await blobs.delete(checkpointName(file));
  }

  async #fail(file: StoreFileRecord, thrown: unknown): Promise<void> {
    const error = indexingError(thrown);
    await this.#options.stored.records.update('storeFiles', file.id, (known) =>
      isWanted(known, file) ? { ...known, status: 'failed', error } : null,
    );
  }
}

function isWanted(known: StoreFileRecord, { version }: StoreFileRecord): boolean {
  return known.version === version && known.status === 'in_progress';
}

function indexingError(thrown: unknown): IndexingError {
  if (thrown instanceof UnreadableFile) return { code: thrown.code, message: thrown.message };
  return { code: 'server_error', message: ApiError.from(thrown).message };
}
