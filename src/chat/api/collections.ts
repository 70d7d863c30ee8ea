import { ApiError } from '../../shared/api-error.ts';
import { OWNS_FILES } from '../../shared/documents/document-objects.ts';
import { requestEndpoint } from './request-endpoint.ts';

/** A vector store of the endpoint; only the fields that this page uses. */
export interface Collection {
  readonly id: string;
  readonly name: string;
  readonly status: 'expired' | 'in_progress' | 'completed';
  readonly file_counts: Readonly<Record<'in_progress' | 'completed' | 'failed' | 'cancelled' | 'total', number>>;
  /** Bytes of passages and vectors on this device. */
  readonly usage_bytes: number;
  /** Id of the model that computes the vectors. */
  readonly embedding_model: string;
  readonly metadata: Readonly<Record<string, string>>;
  /** Whether its files are deleted with it, and do not expire once it has them. Absent: an earlier version does not know owners. */
  readonly owns_files?: boolean;
  readonly indexing: Readonly<Record<'passages' | 'indexed_bytes' | 'waiting_bytes', number>> & {
    readonly paused: boolean;
  };
}

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

/** What this page stores with each file that it adds. Files of programs may lack it, or have anything under these names. */
export interface FileAttributes {
  /** Name of the file, with its folders. */
  readonly name?: string;
  /** Bytes of the file. */
  readonly size?: number;
  /** When the file was changed, in milliseconds since 1970. */
  readonly modified?: number;
  /** Hash of the file's bytes, as lower-case hex. */
  readonly sha256?: string;
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

/** A passage that a search has found; only the fields that this page uses. */
export interface FoundPassage {
  readonly file_id: string;
  readonly filename: string;
  readonly attributes: FileAttributes | null;
  readonly content: readonly { readonly text: string }[];
}

interface Page<Item> {
  readonly data: readonly Item[];
  readonly has_more: boolean;
}

/** The most items that the endpoint lists at once. */
const PAGE = 100;
/**
 * Seconds after which is deleted what was uploaded and not used, because the page has ended: a day. A computer may sleep for
 * hours in the midst of an import.
 */
const UNUSED_TIME = 86_400;
/** The most characters of an attribute that the endpoint accepts. */
const MAX_ATTRIBUTE = 512;
/** The most characters of the name of an uploaded file that the endpoint accepts. */
const MAX_FILENAME = 255;

/*
 * All functions below throw ApiError as `requestEndpoint` does, and the signal's reason if it aborts.
 */

/** Lists all collections, newest first. */
export function listCollections(signal: AbortSignal): Promise<readonly Collection[]> {
  return listAll<Collection>('vector_stores', signal);
}

/** @param ask Replaces the global `fetch`. */
export async function readCollection(id: string, signal: AbortSignal, ask?: typeof fetch): Promise<Collection> {
  return read(await requestEndpoint(`vector_stores/${id}`, signal, undefined, { ...(ask && { ask }) }));
}

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

/** Returns a file as it was uploaded. */
export async function readFileBytes(
  id: string,
  signal: AbortSignal,
): Promise<{ readonly filename: string; readonly content: Blob }> {
  const { filename } = await read<{ readonly filename: string }>(await requestEndpoint(`files/${id}`, signal));
  return { filename, content: await (await requestEndpoint(`files/${id}/content`, signal)).blob() };
}

/** Returns the vectors of an indexed file, for {@link addFile}. */
export async function readVectors(collection: string, file: string, signal: AbortSignal): Promise<Blob> {
  return (await requestEndpoint(`vector_stores/${collection}/files/${file}/vectors`, signal)).blob();
}

/** Deletes a file with its passages. Does nothing if there is no such file any more. */
export async function deleteFile(id: string, signal: AbortSignal): Promise<void> {
  await requestEndpoint(`files/${id}`, signal, undefined, { method: 'DELETE' }).catch(ignoreAbsence);
}

/** Returns the text of an indexed file. */
export async function readFileText(collection: string, file: string, signal: AbortSignal): Promise<string> {
  const response = await requestEndpoint(`vector_stores/${collection}/files/${file}/content`, signal);
  const { data } = await read<{ readonly data: readonly { readonly text: string }[] }>(response);
  return data.map(({ text }) => text).join('\n');
}

/**
 * Finds passages, best first.
 * @param request.query A text, or several of which each is searched.
 * @param ask Replaces the global `fetch`.
 */
export async function searchCollection(
  collection: string,
  request: {
    readonly query: string | readonly string[];
    readonly max_num_results: number;
    readonly ranking_options?: object;
  },
  signal: AbortSignal,
  ask?: typeof fetch,
): Promise<readonly FoundPassage[]> {
  const response = await requestEndpoint(`vector_stores/${collection}/search`, signal, request, {
    ...(ask && { ask }),
  });
  return (await read<Page<FoundPassage>>(response)).data;
}

/** The name of a file as the person knows it. */
export function documentName(attributes: FileAttributes | null, filename: string): string {
  const name: unknown = attributes?.name;
  return typeof name === 'string' && name !== '' ? name : filename;
}

async function listAll<Item extends { readonly id: string }>(
  path: string,
  signal: AbortSignal,
  query: Readonly<Record<string, string>> = {},
): Promise<readonly Item[]> {
  const items: Item[] = [];
  for (;;) {
    const after = items.at(-1)?.id;
    const search = new URLSearchParams({ limit: String(PAGE), ...query, ...(after !== undefined && { after }) });
    const { data, has_more: hasMore } = await read<Page<Item>>(await requestEndpoint(`${path}?${search}`, signal));
    items.push(...data);
    if (!hasMore || data.length === 0) return items;
  }
}

function read<Body>(response: Response): Promise<Body> {
  return response.json() as Promise<Body>;
}

/** Returns the name of a file, with its folders, as it is stored. */
export function storedName(name: string): string {
  return endOf(name, MAX_ATTRIBUTE);
}

/** Shortens a long name at its beginning, so that its end stays. */
function endOf(name: string, most: number): string {
  return name.length <= most ? name : `…${name.slice(1 - most).replace(/^[\uDC00-\uDFFF]/, '')}`;
}

function ignoreAbsence(error: unknown): undefined {
  if (!(error instanceof ApiError && error.status === 404)) throw error;
}
