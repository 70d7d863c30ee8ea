import type { FileAttributes } from '../../api/collections.ts';

/** Name of the entry with the {@link ArchiveManifest}. */
export const MANIFEST = 'collection.json';

export const ARCHIVE_FORMAT = 'tabserve-collection';

/** The most files of an archive: a ZIP archive has 16 bits for the number of its entries, of which a file has two. */
export const MAX_FILES = 32_000;

/** A part of the archive, with the hash of its content, by which damage is noticed. */
export interface ArchiveEntry {
  readonly entry: string;
  readonly sha256: string;
}

export interface ArchivedFile {
  /** Name under which the endpoint has it. */
  readonly filename: string;
  readonly attributes: FileAttributes;
  readonly chunking_strategy: object;
  readonly content: ArchiveEntry;
  /** Null if the file was not indexed when the archive was made. */
  readonly vectors: ArchiveEntry | null;
}

/** What an archive of a collection contains. */
export interface ArchiveManifest {
  readonly format: typeof ARCHIVE_FORMAT;
  readonly version: 1;
  readonly name: string;
  /** Id of the model of the vectors. */
  readonly embedding_model: string;
  readonly files: readonly ArchivedFile[];
}

/** Returns the manifest in a text; null if it is none, or one that this version cannot read. */
export function parseManifest(text: string): ArchiveManifest | null {
  try {
    const value = JSON.parse(text) as unknown;
    return isManifest(value) ? value : null;
  } catch {
    return null;
  }
}

function isManifest(value: unknown): value is ArchiveManifest {
  if (!isObject(value) || value['format'] !== ARCHIVE_FORMAT || value['version'] !== 1) return false;
  const { name, embedding_model: model, files } = value;
  if (typeof name !== 'string' || typeof model !== 'string' || !Array.isArray(files)) return false;
  return files.length <= MAX_FILES && files.every(isFile);
}

function isFile(value: unknown): value is ArchivedFile {
  if (!isObject(value)) return false;
  const { filename, attributes, chunking_strategy: chunking, content, vectors } = value;
  const isDescribed = typeof filename === 'string' && isObject(attributes) && isObject(chunking);
  return isDescribed && isEntry(content) && (vectors === null || isEntry(vectors));
}

function isEntry(value: unknown): value is ArchiveEntry {
  return isObject(value) && typeof value['entry'] === 'string' && typeof value['sha256'] === 'string';
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
