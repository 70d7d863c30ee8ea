import type { ModelSource } from '../../shared/models/model-management.ts';
import { cachedBytes, cachedFile, CHECKSUM } from './download/cached-file.ts';
import { DownloadError } from './download/download-error.ts';
import { partAddresses } from './gguf/gguf-parts.ts';
import { readModelPackage } from './package/model-package.ts';
import { MODEL_CACHES, type PackageFile } from './package/package-file.ts';
import { PARTIAL_CACHE } from './download/partial-file.ts';

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
 */
export async function deleteModelFiles(
  source: ModelSource,
  others: readonly ModelSource[],
  caches: CacheStorage,
): Promise<void> {
  const own = addressesOf(source);
  const foreign = others.flatMap(addressesOf);
  const belongs = (address: string) => longestBeginning(own, address) > longestBeginning(foreign, address);
  for (const name of [MODEL_CACHES.weights, MODEL_CACHES.config, MODEL_CACHES.gguf, PARTIAL_CACHE]) {
    const cache = await caches.open(name);
    const addresses = (await cache.keys()).map(({ url }) => url);
    for (const address of addresses.filter(belongs)) await cache.delete(address);
  }
  if (source.format === 'gguf' || others.some(({ libraryUrl }) => libraryUrl === source.libraryUrl)) return;
  await (await caches.open(MODEL_CACHES.library)).delete(source.libraryUrl);
}

/** Returns the length of the longest of these texts with which the address begins; −1 if it begins with none. */
function longestBeginning(beginnings: readonly string[], address: string): number {
  return Math.max(-1, ...beginnings.filter((text) => address.startsWith(text)).map(({ length }) => length));
}

/** Returns the beginnings of the addresses of a model's files. */
function addressesOf({ format, modelUrl, mmproj }: ModelSource): readonly string[] {
  if (format !== 'gguf') return [modelUrl];
  return [...partAddresses(modelUrl), ...(mmproj === undefined ? [] : [mmproj])];
}

export async function modelBytes(caches: CacheStorage): Promise<number> {
  let bytes = 0;
  for (const name of [...Object.values(MODEL_CACHES), PARTIAL_CACHE]) {
    const responses = await (await caches.open(name)).matchAll();
    for (const response of responses) bytes += Number(response.headers.get('content-length') ?? 0);
  }
  return bytes;
}
