import { readCollection, type Collection } from '../../api/collections.ts';
import { updateMetadata } from '../../api/edit-collections.ts';

/** Names of the metadata of a collection whose import has begun and not ended. */
const HASH = 'tabserve_import';
const FILES = 'tabserve_import_files';

/** What a collection knows of the archive from which it is imported, until it has all of its files. */
export interface ArchiveMark {
  /** See `OpenArchive`. */
  readonly hash: string;
  /** Number of the archive's files. */
  readonly files: number;
}

/** Returns the metadata of a collection whose import begins. They outlive the page, which may end before the import. */
export function archiveMark({ hash, files }: ArchiveMark): Collection['metadata'] {
  return { [HASH]: hash, [FILES]: String(files) };
}

/** Returns the archive of which a collection does not have all files; null if it has, or comes from none. */
export function readArchiveMark({ metadata }: Pick<Collection, 'metadata'>): ArchiveMark | null {
  const { [HASH]: hash, [FILES]: files } = metadata;
  return hash === undefined ? null : { hash, files: Number(files) };
}

/** Lets a collection count as whole. */
export async function removeArchiveMark(id: string): Promise<void> {
  const { metadata } = await readCollection(id, new AbortController().signal);
  const { [HASH]: _hash, [FILES]: _files, ...rest } = metadata;
  await updateMetadata(id, rest);
}
