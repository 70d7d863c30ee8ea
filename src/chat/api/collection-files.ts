import { ApiError } from '../../shared/api-error.ts';
import { listAll, read, type Collection, type FileAttributes } from './collections.ts';
import { requestEndpoint } from './request-endpoint.ts';

// Apart from `collections.ts`, which every chat loads: only the screen of documents lists, adds and deletes files.

/** A file of a vector store; only the fields that this page uses. */
export interface CollectionFile {
  readonly id: string;
  readonly status: 'in_progress' | 'completed' | 'failed' | 'cancelled';
  readonly last_error: { readonly message: string } | null;
  /** Bytes of passages and vectors. 0 until the file is indexed; kept while it is only indexed again. */
  readonly usage_bytes: number;
  readonly attributes: FileAttributes;
  readonly chunking_strategy: object;
}

/** The text of a file, to be added to a collection. */
export interface DocumentToAdd extends FileAttributes {
  readonly name: string;
  readonly text: string;
  /** The file itself, if the endpoint reads the same text from it. Then it is stored instead of the text. Default: none. */
  readonly original?: Blob | undefined;
  /** Id of the file that is deleted when this one is indexed. Default: none. */
  readonly replaces?: string | undefined;
}

/** A collection to which files are added. If it owns them, those that it does not get, because the page ends, are deleted later. */
export type CollectionToExtend = Pick<Collection, 'id' | 'owns_files'>;

/**
 * Seconds after which is deleted what was uploaded and not used, because the page has ended: a day. A computer may sleep for
 * hours in the midst of an import.
 */
const UNUSED_TIME = 86_400;
/** The most characters of an attribute that the endpoint accepts. */
const MAX_ATTRIBUTE = 512;
/** The most characters of the name of an uploaded file that the endpoint accepts. */
const MAX_FILENAME = 255;

/** Lists the files of a collection, newest first. */
export function listFiles(
  collection: string,
  signal: AbortSignal,
  status?: CollectionFile['status'],
): Promise<readonly CollectionFile[]> {
  return listAll(`vector_stores/${collection}/files`, signal, status && { filter: status });
}

/** Reads the state of a file; null if the collection does not have it any more. */
export async function readFileStatus(
  collection: string,
  file: string,
  signal: AbortSignal,
): Promise<CollectionFile['status'] | null> {
  const response = await requestEndpoint(`vector_stores/${collection}/files/${file}`, signal).catch(ignoreAbsence);
  return response === undefined ? null : (await read<CollectionFile>(response)).status;
}

/**
 * Uploads a file, or its text, and begins to index it. Cannot be aborted: the endpoint might store a file whose id is then
 * not known.
 * @returns The id of the file.
 */
export async function addDocument(
  collection: CollectionToExtend,
  { name, text, original, replaces, ...facts }: DocumentToAdd,
): Promise<string> {
  const own = name.split('/').at(-1)!;
  const fields = {
    attributes: { ...facts, name: storedName(name) } satisfies FileAttributes,
    ...(replaces !== undefined && { replaces_file_id: replaces }),
  };
  const addText = () => {
    // The endpoint recognises formats by the ending of the name, and this is text, whatever the file was.
    const uploaded = `${endOf(own, MAX_FILENAME - 4)}.txt`;
    return addFile(collection, new File([text], uploaded, { type: 'text/plain' }), fields);
  };
  if (original === undefined) return addText();
  return addFile(collection, new File([original], endOf(own, MAX_FILENAME)), fields).catch((error: unknown) => {
    // This site takes no files of its size.
    if (error instanceof ApiError && error.status === 413) return addText();
    throw error;
  });
}

/**
 * Uploads a file and adds it to a collection. Cannot be aborted, as {@link addDocument}.
 * @param fields How it is added, as the endpoint names these fields.
 * @param vectors Its vectors, as {@link readVectors} returns them. Null: they are computed.
 * @returns The id of the file.
 */
export async function addFile(
  collection: CollectionToExtend,
  file: File,
  fields: Partial<Pick<CollectionFile, 'attributes' | 'chunking_strategy'>> & { readonly replaces_file_id?: string },
  vectors: Blob | null = null,
): Promise<string> {
  // A file that belongs to no collection would be shown nowhere.
  const id = await upload(file, collection.owns_files === true ? UNUSED_TIME : undefined);
  try {
    const carried =
      vectors === null ? {} : { vectors_file_id: await upload(new File([vectors], 'vectors.bin'), UNUSED_TIME) };
    const { signal } = new AbortController();
    const add = (body: object) => requestEndpoint(`vector_stores/${collection.id}/files`, signal, body);
    const body = { file_id: id, ...fields, ...carried };
    await add(body).catch((error: unknown) => {
      if (!(error instanceof ApiError && error.param === 'replaces_file_id')) throw error;
      // Another tab, or the list of files, has deleted the file that this one was to replace.
      const { replaces_file_id: _gone, ...rest } = body;
      return add(rest);
    });
  } catch (error) {
    await deleteFile(id, AbortSignal.timeout(10_000)).catch(() => {});
    throw error;
  }
  return id;
}

/** @param seconds After which the file is deleted. Default: never. */
async function upload(file: File, seconds?: number): Promise<string> {
  const form = new FormData();
  form.set('purpose', 'assistants');
  form.set('file', file);
  if (seconds !== undefined) {
    form.set('expires_after[anchor]', 'created_at');
    form.set('expires_after[seconds]', String(seconds));
  }
  const { signal } = new AbortController();
  return (await read<{ readonly id: string }>(await requestEndpoint('files', signal, form))).id;
}

/** Returns the vectors of an indexed file, for {@link addFile}. */
export async function readVectors(collection: string, file: string, signal: AbortSignal): Promise<Blob> {
  return (await requestEndpoint(`vector_stores/${collection}/files/${file}/vectors`, signal)).blob();
}

/** Deletes a file with its passages. Does nothing if there is no such file any more. */
export async function deleteFile(id: string, signal: AbortSignal): Promise<void> {
  await requestEndpoint(`files/${id}`, signal, undefined, { method: 'DELETE' }).catch(ignoreAbsence);
}

/** Returns the name of a file, with its folders, as it is stored. Systems write an accented letter as one character or as two. */
export function storedName(name: string): string {
  return endOf(name.normalize('NFC'), MAX_ATTRIBUTE);
}

/** Shortens a long name at its beginning, so that its end stays. */
function endOf(name: string, most: number): string {
  return name.length <= most ? name : `…${name.slice(1 - most).replace(/^[\uDC00-\uDFFF]/, '')}`;
}

/** Makes the absence of what is deleted or read no error. */
export function ignoreAbsence(error: unknown): undefined {
  if (!(error instanceof ApiError && error.status === 404)) throw error;
}
