import { Zip, ZipDeflate, ZipPassThrough } from 'fflate';
import { ApiError } from '../../../shared/api-error.ts';
import { sha256 } from '../../../shared/keys/sha256.ts';
import { listFiles, readFileStatus, readVectors, type CollectionFile } from '../../api/collection-files.ts';
import { documentName, readCollection, readFileBytes, type Collection } from '../../api/collections.ts';
import { documentStrings } from '../../strings/document-strings.ts';
import {
  ARCHIVE_FORMAT,
  MANIFEST,
  MAX_FILES,
  type ArchivedFile,
  type ArchiveEntry,
  type ArchiveManifest,
} from './archive-manifest.ts';

/** A limit of the format, which has 32 bits for places. */
const MAX_BYTES = 4_000_000_000;

/** Bytes that are packed without letting other tasks of the page run. */
const PIECE = 65_536;

/** Bytes of a part of the archive, which the browser may keep outside of the memory. */
const PART = 8_000_000;

interface WrittenArchive {
  readonly archive: Blob;
  /** Names of files that are not in it because their content is no longer whole on this device. */
  readonly leftOut: readonly string[];
}

/**
 * Returns an archive with the files of a collection and their vectors, also for another device.
 * @param onProgress Called with the number of files that are in it, and of all.
 * @throws Error that tells the person why there is none.
 * @throws the signal's reason if it aborts.
 */
export async function writeArchive(
  { id, name, embedding_model: model }: Collection,
  signal: AbortSignal,
  onProgress: (done: number, total: number) => void,
): Promise<WrittenArchive> {
  const files = filesToKeep(await listFiles(id, signal)).toReversed();
  if (files.length > MAX_FILES) throw new Error(documentStrings.tooLargeToExport);
  const zip = new ZipWriter();
  const archived: ArchivedFile[] = [];
  const leftOut: string[] = [];
  for (const [index, file] of files.entries()) {
    onProgress(index, files.length);
    const packed = await addFile(zip, id, file, index, signal).catch(async (error: unknown) => {
      if (!(error instanceof ApiError && error.status === 404)) throw error;
      // Unless the collection is gone, the file was deleted or replaced meanwhile, or its content is no longer whole.
      await readCollection(id, signal);
      if ((await readFileStatus(id, file.id, signal)) !== null) leftOut.push(documentName(file.attributes, file.id));
      return null;
    });
    if (packed !== null) archived.push(packed);
    if (zip.size > MAX_BYTES) throw new Error(documentStrings.tooLargeToExport);
  }
  const manifest: ArchiveManifest = {
    format: ARCHIVE_FORMAT,
    version: 1,
    name,
    embedding_model: model,
    files: archived,
  };
  await zip.add(MANIFEST, new Blob([JSON.stringify(manifest, null, 1)]), true);
  return { archive: zip.end(), leftOut };
}

/**
 * Returns the files without those that a newer one of the same name replaces: any by one that waits to be indexed for the
 * first time, and one that could not be indexed, or was not, by one that could.
 * @param files All files, newest first.
 */
function filesToKeep(files: readonly CollectionFile[]): readonly CollectionFile[] {
  const waiting = new Set<string>();
  const usable = new Set<string>();
  return files.filter(({ status, usage_bytes: indexed, attributes: { name } }) => {
    if (name === undefined) return true;
    const isUsable = status === 'completed' || status === 'in_progress';
    if (waiting.has(name) || (!isUsable && usable.has(name))) return false;
    if (isUsable) usable.add(name);
    if (status === 'in_progress' && indexed === 0) waiting.add(name);
    return true;
  });
}

async function addFile(
  zip: ZipWriter,
  collection: string,
  { id, status, attributes, chunking_strategy }: CollectionFile,
  index: number,
  signal: AbortSignal,
): Promise<ArchivedFile> {
  const { filename, content } = await readFileBytes(id, signal);
  // Only the endings of names are shown in the archive: several files may have the same name. Half a character would have
  // another name in the archive than in its manifest.
  const number = String(index + 1).padStart(5, '0');
  const ending = filename
    .replaceAll(/[/\\]/g, '_')
    .slice(-100)
    .replace(/^[\uDC00-\uDFFF]/, '');
  const vectors =
    status !== 'completed'
      ? null
      : await readVectors(collection, id, signal).catch((error: unknown) => {
          // The index is damaged, or of another version of this software: the file is indexed where it is imported.
          if (error instanceof ApiError && error.code === 'invalid_value') return null;
          throw error;
        });
  return {
    filename,
    attributes,
    chunking_strategy,
    content: await zip.add(`files/${number} ${ending}`, content, true),
    vectors: vectors && (await zip.add(`vectors/${number}`, vectors, false)),
  };
}

/** Packs a ZIP archive piece by piece. */
class ZipWriter {
  size = 0;
  readonly #parts: Blob[] = [];
  #pieces: Uint8Array<ArrayBuffer>[] = [];
  #pending = 0;
  #failure: Error | null = null;
  readonly #zip = new Zip((failure, piece) => {
    if (failure !== null) this.#failure = failure;
    else this.#keep(piece);
  });

  /** @param isPacked Whether packing makes it smaller. */
  async add(entry: string, content: Blob, isPacked: boolean): Promise<ArchiveEntry> {
    const bytes = new Uint8Array(await content.arrayBuffer());
    const file = isPacked ? new ZipDeflate(entry) : new ZipPassThrough(entry);
    this.#zip.add(file);
    for (let at = 0; at === 0 || at < bytes.length; at += PIECE) {
      file.push(bytes.slice(at, at + PIECE), at + PIECE >= bytes.length);
      if (at > 0 && at % (16 * PIECE) === 0) await new Promise((resolve) => setTimeout(resolve));
    }
    if (this.#failure !== null) throw this.#failure;
    return { entry, sha256: await sha256(bytes) };
  }

  end(): Blob {
    this.#zip.end();
    if (this.#failure !== null) throw this.#failure;
    return new Blob([...this.#parts, ...this.#pieces], { type: 'application/zip' });
  }

  #keep(piece: Uint8Array<ArrayBuffer>): void {
    this.#pieces.push(piece);
    this.size += piece.length;
    this.#pending += piece.length;
    if (this.#pending < PART) return;
    this.#parts.push(new Blob(this.#pieces));
    this.#pieces = [];
    this.#pending = 0;
  }
}
