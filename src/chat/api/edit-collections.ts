import { ApiError } from '../../shared/api-error.ts';
import { OWNS_FILES } from '../../shared/documents/document-objects.ts';
import { deleteFile, ignoreAbsence, listFiles } from './collection-files.ts';
import { read, readCollection, type Collection } from './collections.ts';
import { requestEndpoint } from './request-endpoint.ts';

/**
 * Creates a collection that owns its files.
 * @param fields Its embedding model and metadata. Default: none, and the model that the endpoint thinks best.
 */
export async function createCollection(
  name: string,
  signal: AbortSignal,
  { metadata = {}, ...fields }: Partial<Pick<Collection, 'embedding_model' | 'metadata'>> = {},
): Promise<Collection> {
  const body = { name, ...fields, metadata: { ...metadata, [OWNS_FILES]: 'true' } };
  return read(await requestEndpoint('vector_stores', signal, body));
}

/** Replaces the metadata of a collection. */
export async function updateMetadata(id: string, metadata: Collection['metadata']): Promise<void> {
  await requestEndpoint(`vector_stores/${id}`, new AbortController().signal, { metadata });
}

/** Pauses or continues the indexing of a collection. */
export async function pauseIndexing(id: string, paused: boolean): Promise<void> {
  await requestEndpoint(`vector_stores/${id}`, new AbortController().signal, { paused });
}

/** Deletes a collection with its files, in one step. Does nothing if another tab has deleted it. */
export async function deleteCollection(id: string, signal: AbortSignal): Promise<void> {
  const isOwner = await ownFiles(id, signal).catch(ignoreAbsence);
  if (isOwner === false) await deleteFiles(id, signal);
  await requestEndpoint(`vector_stores/${id}`, signal, undefined, { method: 'DELETE' }).catch(ignoreAbsence);
}

/**
 * Lets a collection own its files, as one that a program or an earlier version has made does not.
 * @returns Whether it does.
 */
async function ownFiles(id: string, signal: AbortSignal): Promise<boolean> {
  const { metadata, owns_files: isOwner } = await readCollection(id, signal);
  if (isOwner !== false) return isOwner === true;
  const body = { metadata: { ...metadata, [OWNS_FILES]: 'true' } };
  const changed = await requestEndpoint(`vector_stores/${id}`, signal, body).catch((error: unknown) => {
    // The program has left no room in the metadata.
    if (!(error instanceof ApiError && error.status === 400)) throw error;
  });
  return changed !== undefined && (await read<Collection>(changed)).owns_files === true;
}

/** Deletes the files of a collection one by one. */
async function deleteFiles(id: string, signal: AbortSignal): Promise<void> {
  const deleted = new Set<string>();
  for (;;) {
    // Another tab may add files meanwhile. A file that has expired may be listed again.
    const files = (await listFiles(id, signal).catch(ignoreAbsence)) ?? [];
    const rest = files.filter((file) => !deleted.has(file.id));
    if (rest.length === 0) break;
    for (const file of rest) {
      await deleteFile(file.id, signal);
      deleted.add(file.id);
    }
  }
}
