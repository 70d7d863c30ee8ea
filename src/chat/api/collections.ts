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
/*
 * All functions below, and those of `collection-files.ts` and `edit-collections.ts`, throw ApiError as `requestEndpoint` does,
 * and the signal's reason if it aborts.
 */

/** Lists all collections, newest first. */
export function listCollections(signal: AbortSignal): Promise<readonly Collection[]> {
  return listAll<Collection>('vector_stores', signal);
}

/** @param ask Replaces the global `fetch`. */
export async function readCollection(id: string, signal: AbortSignal, ask?: typeof fetch): Promise<Collection> {
  return read(await requestEndpoint(`vector_stores/${id}`, signal, undefined, { ...(ask && { ask }) }));
}

/** Returns a file as it was uploaded. */
export async function readFileBytes(
  id: string,
  signal: AbortSignal,
): Promise<{ readonly filename: string; readonly content: Blob }> {
  const { filename } = await read<{ readonly filename: string }>(await requestEndpoint(`files/${id}`, signal));
  return { filename, content: await (await requestEndpoint(`files/${id}/content`, signal)).blob() };
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

/** Lists all objects of a path, page by page. */
export async function listAll<Item extends { readonly id: string }>(
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

/** Reads the JSON of a response, which the endpoint of this site has made. */
export function read<Body>(response: Response): Promise<Body> {
  return response.json() as Promise<Body>;
}
