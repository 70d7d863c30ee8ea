import { trace } from '../../shared/trace/trace.ts';
import { indexName, newBundleName } from './ids.ts';
import type { IndexedFile } from './search/indexed-file.ts';
import { decodeIndexedFile } from './search/store-indexed-file.ts';
import { decodeBundle, encodeBundle } from './search/stored-bundle.ts';
import type { StoreFileRecord } from './storage/document-records.ts';
import { withoutBundle, type StoredDocuments } from './storage/stored-documents.ts';
import { readSearched } from './stored-index.ts';

/** A bundle is deleted with the first of its files, so that it has only so many, and so many bytes. */
const MOST = { files: 256, bytes: 8_000_000 };

/** An index of more bytes is read alone: to open it takes less time than to read it. */
const MOST_OF_FILE = 500_000;

/** The fewest files that are worth a bundle. */
const LEAST = 64;

interface BundlesOptions {
  readonly stored: StoredDocuments;
  /** The fewest files of a bundle. Default: as many as are worth one. */
  readonly least?: number | undefined;
}

/**
 * Copies of what is searched of many small files in few blobs: to open each of 2,000 files takes seconds. A bundle holds what
 * its files had when it was made. It is deleted with the first of them that is deleted or indexed again
 * ({@link StoredDocuments.change}); the others are read alone until they are packed anew.
 */
export class Bundles {
  readonly #stored: StoredDocuments;
  readonly #least: number;
  /** How many files may be in no bundle. It is not known what an earlier engine has left. */
  #expected = Infinity;

  constructor({ stored, least = LEAST }: BundlesOptions) {
    this.#stored = stored;
    this.#least = least;
  }

  /** Reads what is searched of those of a store's files that are in bundles, by their ids. */
  async read(files: readonly StoreFileRecord[]): Promise<ReadonlyMap<string, IndexedFile>> {
    const found = new Map<string, IndexedFile>();
    for (const [name, members] of groupedBy(files, ({ bundle }) => bundle)) {
      const blob = await this.#stored.blobs.read(name);
      // It may be damaged, or deleted meanwhile.
      const contents = blob && (await decodeBundle(blob).catch(() => null));
      for (const file of members) {
        const content = contents?.get(keyOf(file));
        const searched = content === undefined ? null : decodeIndexedFile(content);
        if (searched !== null) found.set(file.id, searched);
      }
      if (members.some(({ id }) => !found.has(id))) await this.#dissolve(name, members);
    }
    return found;
  }

  /** Notes that so many files may have been indexed. */
  expect(files: number): void {
    this.#expected += files;
  }

  /**
   * Packs the files of each store that are in no bundle, if there may be enough of them. Never rejects.
   * @param isUrgent Whether something else is to be done first. Then the rest is left to a later call.
   */
  async pack(isUrgent: () => boolean): Promise<void> {
    if (this.#expected < this.#least) return;
    this.#expected = 0;
    try {
      const files = (await this.#stored.records.list('storeFiles')).filter(isPackable).toReversed();
      for (const ofStore of groupedBy(files, ({ store }) => store).values()) {
        for (const group of cut(ofStore)) {
          if (isUrgent()) return this.expect(Infinity);
          if (group.length >= this.#least) await this.#pack(group);
        }
      }
    } catch (thrown) {
      trace('documents', 'files are not packed', String(thrown));
    }
  }

  async #pack(files: readonly StoreFileRecord[]): Promise<void> {
    const { blobs } = this.#stored;
    const contents = new Map<string, ArrayBuffer>();
    const packed: StoreFileRecord[] = [];
    for (const file of files) {
      const blob = await blobs.read(indexName(file));
      const content = blob?.size === file.bytes ? await readSearched(blob) : null;
      // A search finds out that it must be indexed again.
      if (content === null || decodeIndexedFile(content) === null) continue;
      contents.set(keyOf(file), content);
      packed.push(file);
    }
    const [first] = packed;
    if (first === undefined || packed.length < this.#least) return;
    const bundle = newBundleName(first.store, packed.length);
    const record = () =>
      this.#stored.change(async (step) => {
        const known = [];
        for (const file of packed) {
          const now = await step.get('storeFiles', file.id);
          // A bundle with a file that was deleted or indexed again meanwhile is not stored.
          if (now === undefined || keyOf(now) !== keyOf(file) || !isPackable(now)) return null;
          known.push(now);
        }
        for (const file of known) await step.put('storeFiles', { ...file, bundle });
        return known;
      });
    await this.#stored.add(bundle, encodeBundle(contents), record);
  }

  /** Deletes a bundle that is lost, damaged, or of another version of this software. */
  async #dissolve(name: string, files: readonly StoreFileRecord[]): Promise<void> {
    await this.#stored.change(async (step) => {
      for (const { id } of files) {
        const file = await step.get('storeFiles', id);
        if (file?.bundle === name) return step.put('storeFiles', withoutBundle(file));
      }
    });
  }
}

/** Differs if a file is indexed again, also by another version of this software. */
function keyOf(file: StoreFileRecord): string {
  return `${indexName(file)} ${file.bytes}`;
}

function isPackable({ status, bytes, bundle }: StoreFileRecord): boolean {
  return status === 'completed' && bundle === undefined && bytes <= MOST_OF_FILE;
}

/** Cuts a list into groups of the size of a bundle. */
function cut(files: readonly StoreFileRecord[]): readonly (readonly StoreFileRecord[])[] {
  const groups: StoreFileRecord[][] = [];
  let size = Infinity;
  for (const file of files) {
    const last = groups.at(-1);
    if (last === undefined || last.length === MOST.files || size + file.bytes > MOST.bytes) {
      groups.push([file]);
      size = file.bytes;
    } else {
      last.push(file);
      size += file.bytes;
    }
  }
  return groups;
}

/** Groups files by a text; those without one are left out. */
function groupedBy(
  files: readonly StoreFileRecord[],
  textOf: (file: StoreFileRecord) => string | undefined,
): ReadonlyMap<string, readonly StoreFileRecord[]> {
  const groups = new Map<string, StoreFileRecord[]>();
  for (const file of files) {
    const text = textOf(file);
    if (text === undefined) continue;
    const group = groups.get(text) ?? [];
    group.push(file);
    groups.set(text, group);
  }
  return groups;
}
