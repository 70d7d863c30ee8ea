import type { BlobStore } from '../../../src/engine-worker/documents/storage/blob-store.ts';
import type {
  DocumentRecords,
  DocumentTable,
  RecordStep,
} from '../../../src/engine-worker/documents/storage/document-records.ts';
import type { MemoryDocuments } from './memory-documents.ts';

/** An engine's access to what is stored, which ends with the engine: from then on no call returns. */
export class MortalDocuments implements DocumentRecords {
  readonly #stored: MemoryDocuments;
  /** Number of accesses so far. */
  steps = 0;
  /** The access with this number is the last one. Default: the engine lives. */
  lastStep = Infinity;
  /** Whether the last access has its effect. */
  isLastDone = true;
  /** Delays an access. Default: none waits. */
  delay: () => Promise<void> = () => Promise.resolve();
  /** Resolves at the last access. */
  readonly died: Promise<void>;
  #die = () => {};

  constructor(stored: MemoryDocuments) {
    this.#stored = stored;
    this.died = new Promise((resolve) => (this.#die = resolve));
  }

  readonly blobs: BlobStore = {
    read: (name) => this.#step(() => this.#stored.blobs.read(name)),
    write: (name, content) => this.#step(() => this.#stored.blobs.write(name, content)),
    delete: (name) => this.#step(() => this.#stored.blobs.delete(name)),
    names: () => this.#step(() => this.#stored.blobs.names()),
  };

  get<Table extends DocumentTable>(table: Table, id: string) {
    return this.#step(() => this.#stored.get(table, id));
  }

  list<Table extends DocumentTable>(table: Table, start?: string) {
    return this.#step(() => this.#stored.list(table, start));
  }

  change<Result>(run: (step: RecordStep) => Promise<Result>): Promise<Result> {
    return this.#step(() => this.#stored.change(run));
  }

  async #step<Result>(run: () => Promise<Result>): Promise<Result> {
    this.steps += 1;
    const { steps, lastStep, isLastDone } = this;
    await this.delay();
    const result = steps < lastStep || (steps === lastStep && isLastDone) ? await run() : null;
    if (steps < this.lastStep) return result as Result;
    this.#die();
    return new Promise(() => {});
  }
}
