import { ApiError } from '../../../shared/api-error.ts';
import { MAX_NAME } from '../../../shared/documents/document-objects.ts';
import { documentName, listCollections, type Collection } from '../../api/collections.ts';
import { createCollection } from '../../api/edit-collections.ts';
import { documentStrings } from '../../strings/document-strings.ts';
import { adderOf } from '../document-adder.ts';
import { archiveMark, readArchiveMark, removeArchiveMark } from './archive-mark.ts';
import { openArchive, type OpenArchive } from './open-archive.ts';
import { PresentFiles } from './present-files.ts';

/**
 * Creates the collection of an archive, and begins to add its files. An import of the same archive that was interrupted goes
 * on where it was.
 * @param onProgress Called with the number of files that have proved complete, and of all.
 * @throws Error that tells the person why nothing was imported; ApiError of the endpoint.
 */
export async function importArchive(
  file: Blob,
  signal: AbortSignal,
  onProgress: (done: number, total: number) => void,
): Promise<Collection> {
  const archive = await openArchive(file, signal, onProgress);
  const collections = await listCollections(signal);
  const begun = collections.find(
    (known) => known.status !== 'expired' && readArchiveMark(known)?.hash === archive.hash,
  );
  const collection = begun ?? (await createMarked(archive, signal));
  const present = begun && new PresentFiles(begun.id);
  const files = archive.manifest.files.map((packed) => ({
    name: documentName(packed.attributes, packed.filename),
    unpack: async () => {
      if ((await present?.take(packed)) === true) return null;
      // The file may have been deleted or changed since it was checked.
      return archive.read(packed).catch((cause: unknown) => {
        throw new Error(documentStrings.restNotImported, { cause });
      });
    },
  }));
  adderOf(collection.id).add(files, () => removeArchiveMark(collection.id));
  return collection;
}

/** Creates a collection that counts as incomplete until it has all files of the archive. */
async function createMarked({ hash, manifest }: OpenArchive, signal: AbortSignal): Promise<Collection> {
  const { embedding_model, files } = manifest;
  const name = manifest.name.slice(0, MAX_NAME);
  const metadata = archiveMark({ hash, files: files.length });
  return createCollection(name, signal, { metadata, embedding_model }).catch((error: unknown) => {
    // This device does not have the model of the archive: the files are indexed by another one.
    if (!(error instanceof ApiError && (error.status === 400 || error.status === 404))) throw error;
    return createCollection(name, signal, { metadata });
  });
}
