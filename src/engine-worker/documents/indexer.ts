import { ApiError } from '../../shared/api-error.ts';
import type { IndexingError } from '../../shared/documents/document-objects.ts';
import { isTransient } from '../../shared/http/retry-after.ts';
import { sleep } from '../../shared/timeout.ts';
import { trace } from '../../shared/trace/trace.ts';
import { passageLimits } from './auto-chunking.ts';
import { buildIndex } from './build-index.ts';
import type { Bundles } from './bundles.ts';
import type { EmbedTexts } from './embed-texts.ts';
import { checkpointsOf } from './checkpoints.ts';
import { deleteReplaced } from './files.ts';
import { indexName } from './ids.ts';
import type { ReadDocument } from './reading/document-reader.ts';
import { readFileText } from './reading/read-file-text.ts';
import { UnreadableFile } from './reading/unreadable-file.ts';
import type { RecordStep, StoreFileRecord, StoreRecord } from './storage/document-records.ts';
import type { StoredDocuments } from './storage/stored-documents.ts';
import { untilStored } from './until-stored.ts';

/** Held by the engine that indexes. Engines of two builds may live at once. */
const INDEXING_LOCK = 'tabserve-documents-indexing';

/**
 * How often the indexing of a file is tried if failures may pass: for minutes if the GPU or a place in the queue is missing,
 * for seconds if the disk is full, because a person must make room.
 */
const MAX_ATTEMPTS = { storage: 3, other: 20 };

export interface IndexerOptions {
  readonly stored: StoredDocuments;
  readonly bundles: Pick<Bundles, 'expect' | 'pack'>;
  readonly embed: EmbedTexts;
  /** Throws if a store's model is no longer the one that computed its vectors. */
  readonly requireModel: (store: StoreRecord) => Promise<void>;
  /** Reads a file that is no plain text. */
  readonly readDocument: ReadDocument;
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

/** So often the engine may end while it reads a file: pages are closed, but a file may also make the browser crash. */
const MAX_READINGS = 5;

/** Milliseconds between two looks whether a file that is being read is still wanted. */
const WATCH_TIME = 1000;

/** Thrown when the file that is being indexed was deleted, replaced or cancelled, or its store is paused. */
const UNWANTED = new Error('The file need not be indexed now.');

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
    this.#options.bundles.expect(1);
    if (this.#running) return;
    this.#running = true;
    void this.#run();
  }

  async #run(): Promise<void> {
    while (this.#isAwaited) {
      this.#isAwaited = false;
      const { locks, retryDelay } = this.#options;
      await untilStored(() => locks.request(INDEXING_LOCK, () => this.#indexAll()), retryDelay);
    }
    // In the same step as the last look at `#isAwaited`, so that no call of `wake` in between is lost.
    this.#running = false;
  }

  async #indexAll(): Promise<void> {
    for (let files = await this.#waiting(); files.length > 0; files = await this.#waiting()) {
      for (const file of files) await this.#index(file);
      this.#options.bundles.expect(files.length);
    }
    await this.#options.bundles.pack(() => this.#isAwaited);
  }

  /** The files that wait, the oldest first. */
  async #waiting(): Promise<readonly StoreFileRecord[]> {
    const { records } = this.#options.stored;
    const [files, stores] = [await records.list('storeFiles'), await records.list('stores')];
    const paused = new Set(stores.flatMap(({ id, paused }) => (paused === true ? [id] : [])));
    return files.filter(({ status, store }) => status === 'in_progress' && !paused.has(store)).toReversed();
  }

  async #index(file: StoreFileRecord): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.#tryIndex(file).finally(() => (this.#progress = null));
      } catch (thrown) {
        if (thrown === UNWANTED) return;
        trace('documents', file.file, 'is not indexed', String(thrown));
        if (attempt >= attemptsAfter(thrown)) return this.#fail(file, thrown);
        await sleep(this.#options.retryDelay * Math.min(attempt, 15));
      }
    }
  }

  async #tryIndex(file: StoreFileRecord): Promise<void> {
    const { stored, embed, requireModel } = this.#options;
    const [store, source, content] = await Promise.all([
      stored.records.get('stores', file.store),
      stored.records.get('files', file.file),
      stored.blobs.read(file.file),
    ]);
    if (store === undefined || source === undefined) {
      await stored.change((step) => step.delete('storeFiles', file.id));
      return;
    }
    if (content?.size !== source.bytes) {
      const sentence = 'The content of the file is no longer whole on this device. Upload it again.';
      throw new UnreadableFile('invalid_file', sentence);
    }
    const check = async () => {
      const known = await stored.records.get('storeFiles', file.id);
      const isPaused = (await stored.records.get('stores', file.store))?.paused === true;
      if (known === undefined || !isWanted(known, file) || isPaused) throw UNWANTED;
    };
    const read: ReadDocument = (document, name, site) => this.#read(file, check, document, name, site);
    await check();
    await requireModel(store);
    const index = await buildIndex(await readFileText(content, { filename: source.filename, site: store.site, read }), {
      limits: passageLimits(file.chunking),
      model: store.model,
      site: store.site,
      embed,
      check,
      onProgress: (done, total) => (this.#progress = { id: file.id, done, total }),
      checkpoints: checkpointsOf(file, stored.blobs),
      // Stored like any blob whose record exists, so that it is deleted if that is deleted meanwhile.
      saveCheckpoint: (name, checkpoint) => stored.add(name, checkpoint, check),
    });
    const passages = this.#progress?.total ?? 0;
    const complete = (step: RecordStep) => this.#complete(step, file, { bytes: index.size, passages });
    await stored.add(indexName(file), index, () => stored.change(complete));
  }

  /**
   * Reads a file that is no plain text. Counts that in its record before, so that a file at which the browser crashes is not
   * read again at each start. Reading can take minutes, and ends when the file is no longer wanted: others wait for it.
   */
  async #read(
    file: StoreFileRecord,
    check: () => Promise<void>,
    content: Blob,
    name: string,
    site: string,
  ): Promise<string> {
    const { stored, readDocument } = this.#options;
    const readings = (await stored.records.get('storeFiles', file.id))?.readings ?? 0;
    if (readings >= MAX_READINGS) {
      const sentence = `The browser or the page ended ${readings} times while the file was read. Split the file, or upload its text.`;
      throw new UnreadableFile('invalid_file', sentence);
    }
    const count = (counted: number) =>
      stored.update('storeFiles', file.id, (known) => (isWanted(known, file) ? { ...known, readings: counted } : null));
    const unwanted = new AbortController();
    // A record that cannot be read now says nothing about the file.
    const watch = () => check().catch((thrown: unknown) => thrown === UNWANTED && unwanted.abort(UNWANTED));
    const timer = setInterval(watch, WATCH_TIME);
    return readDocument(content, name, site, () => count(readings + 1), unwanted.signal).finally(() => {
      clearInterval(timer);
      return count(readings);
    });
  }

  /** Returns null if the file is not wanted any more. */
  async #complete(
    step: RecordStep,
    { id, version }: StoreFileRecord,
    index: Pick<StoreFileRecord, 'bytes' | 'passages'>,
  ): Promise<StoreFileRecord | null> {
    const known = await step.get('storeFiles', id);
    if (known === undefined || !isWanted(known, { version })) return null;
    const completed = { ...known, ...index, status: 'completed' } as const;
    await step.put('storeFiles', completed);
    await deleteReplaced(step, completed);
    return completed;
  }

  async #fail(file: StoreFileRecord, thrown: unknown): Promise<void> {
    const error = indexingError(thrown);
    await this.#options.stored.update('storeFiles', file.id, (known) =>
      isWanted(known, file) ? { ...known, status: 'failed', error } : null,
    );
  }
}

function isWanted(known: StoreFileRecord, { version }: Pick<StoreFileRecord, 'version'>): boolean {
  return known.version === version && known.status === 'in_progress';
}

function attemptsAfter(thrown: unknown): number {
  if (!(thrown instanceof ApiError) || !isTransient(thrown)) return 1;
  return thrown.code === 'storage_unavailable' ? MAX_ATTEMPTS.storage : MAX_ATTEMPTS.other;
}

function indexingError(thrown: unknown): IndexingError {
  if (thrown instanceof UnreadableFile) return { code: thrown.code, message: thrown.message };
  return { code: 'server_error', message: ApiError.from(thrown).message };
}
