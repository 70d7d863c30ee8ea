import { ApiError } from '../../../shared/api-error.ts';
import { MAX_NAME } from '../../../shared/documents/document-objects.ts';
import { createCollection, documentName, type Collection } from '../../api/collections.ts';
import { documentStrings } from '../../strings/document-strings.ts';
import { adderOf } from '../document-adder.ts';
import { openArchive } from './open-archive.ts';

/**
 * Creates the collection of an archive, and begins to add its files.
 * @param onProgress Called with the number of files that have proved complete, and of all.
 * @throws Error that tells the person why nothing was imported; ApiError of the endpoint.
 */
export async function importArchive(
  file: Blob,
  signal: AbortSignal,
  onProgress: (done: number, total: number) => void,
): Promise<Collection> {
  const { manifest, read } = await openArchive(file, signal, onProgress);
  const name = manifest.name.slice(0, MAX_NAME);
  const collection = await createCollection(name, signal, manifest.embedding_model).catch((error: unknown) => {
    // This device does not have the model of the archive: the files are indexed by another one.
    if (!(error instanceof ApiError && (error.status === 400 || error.status === 404))) throw error;
    return createCollection(name, signal);
  });
  adderOf(collection.id).add(
    manifest.files.map((packed) => ({
      name: documentName(packed.attributes, packed.filename),
      unpack: async () => {
        // The file may have been deleted or changed since it was checked.
        return read(packed).catch((cause: unknown) => {
          throw new Error(documentStrings.restNotImported, { cause });
        });
      },
    })),
  );
  return collection;
}
