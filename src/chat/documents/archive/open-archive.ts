import { sha256 } from '../../../shared/keys/sha256.ts';
import { documentStrings } from '../../strings/document-strings.ts';
import {
  MANIFEST,
  parseManifest,
  type ArchivedFile,
  type ArchiveEntry,
  type ArchiveManifest,
} from './archive-manifest.ts';
import { DamagedZip, ZipArchive } from '../../common/open-zip.ts';

/** The most bytes of an entry: a file as large as the endpoint accepts, or the vectors of one. */
const MAX_ENTRY = 200_000_000;

/** A file of an archive, as it is added to a collection. */
export interface UnpackedFile extends Omit<ArchivedFile, 'content' | 'vectors'> {
  readonly content: Blob;
  readonly vectors: Blob | null;
}

/** An archive of a collection whose entries have proved complete. */
export interface OpenArchive {
  /** Hash of its manifest, which has the hashes of all else: the same for each copy of the archive, and for no other one. */
  readonly hash: string;
  readonly manifest: ArchiveManifest;
  readonly read: (file: ArchivedFile) => Promise<UnpackedFile>;
}

/**
 * Opens an archive of a collection and reads all of it once, so that nothing is imported of a damaged one.
 * @param onProgress Called with the number of files that are read, and of all.
 * @throws Error that tells the person why it cannot be imported.
 * @throws the signal's reason if it aborts.
 */
export async function openArchive(
  file: Blob,
  signal: AbortSignal,
  onProgress: (done: number, total: number) => void,
): Promise<OpenArchive> {
  try {
    const isZip = (await file.slice(0, 4).text()) === 'PK\u0003\u0004';
    const zip = isZip ? await ZipArchive.open(file) : null;
    const text = zip?.has(MANIFEST) === true ? await (await zip.read(MANIFEST, MAX_ENTRY)).text() : '';
    const manifest = parseManifest(text);
    if (zip === null || manifest === null) throw new Error(documentStrings.otherArchive);
    const { files } = manifest;
    const parts = files.flatMap(partsOf).map(({ entry }) => entry);
    // Otherwise a small archive could unpack to any size.
    if (new Set(parts).size < parts.length) throw new DamagedZip('Files share an entry.');
    for (const [index, packed] of files.entries()) {
      onProgress(index, files.length);
      for (const entry of partsOf(packed)) {
        await readEntry(zip, entry);
        signal.throwIfAborted();
      }
    }
    // Without any other field: the endpoint would take `replaces_file_id` as a file of this device.
    const read = async (packed: ArchivedFile): Promise<UnpackedFile> => {
      const { filename, attributes, chunking_strategy, content, vectors } = packed;
      return {
        filename,
        attributes,
        chunking_strategy,
        content: await readEntry(zip, content),
        vectors: vectors && (await readEntry(zip, vectors)),
      };
    };
    return { hash: await sha256(new TextEncoder().encode(text)), manifest, read };
  } catch (cause) {
    signal.throwIfAborted();
    // A DOMException is thrown if the file was deleted or changed meanwhile.
    if (cause instanceof DamagedZip || cause instanceof DOMException)
      throw new Error(documentStrings.damagedArchive, { cause });
    throw cause;
  }
}

function partsOf({ content, vectors }: ArchivedFile): readonly ArchiveEntry[] {
  return vectors === null ? [content] : [content, vectors];
}

async function readEntry(zip: ZipArchive, { entry, sha256: hash }: ArchiveEntry): Promise<Blob> {
  const content = await zip.read(entry, MAX_ENTRY);
  if ((await sha256(new Uint8Array(await content.arrayBuffer()))) !== hash)
    throw new DamagedZip(`${entry} is damaged.`);
  return content;
}
