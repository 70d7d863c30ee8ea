import type { PackageFile } from '../package/package-file.ts';
import { PartialFile } from './partial-file.ts';

/** Header of the cache entry that marks a file in pieces as complete: the file's size in bytes. */
export const TOTAL_BYTES = 'tabserve-bytes';
/** Header of the same cache entry: the file's SHA-256 in hexadecimal. */
export const CHECKSUM = 'tabserve-sha256';

/**
 * Returns the cached response of a file, or undefined. Deletes a response of the wrong length (for example from a
 * download that WebLLM did not complete), because WebLLM would use it.
 */
export async function cachedFile(file: PackageFile, caches: CacheStorage): Promise<Response | undefined> {
  const cache = await caches.open(file.cache);
  const response = await cache.match(file.url);
  if (response === undefined || file.bytes === null || response.headers.has('content-encoding')) return response;
  const length = response.headers.get(TOTAL_BYTES) ?? response.headers.get('content-length');
  if (length === null || Number(length) === file.bytes) return response;
  await cache.delete(file.url);
  return undefined;
}

/**
 * Returns the content of a cached file. The browser reads the bytes from disk only when they are needed.
 * @returns undefined if the file is not complete.
 */
export async function cachedBlob(file: PackageFile, caches: CacheStorage): Promise<Blob | undefined> {
  const response = await cachedFile(file, caches);
  if (response === undefined || file.kind !== 'gguf') return response?.blob();
  const blob = await (await PartialFile.open(caches, file)).blob();
  if (blob.size === Number(response.headers.get(TOTAL_BYTES))) return blob;
  // A piece is missing. Deleting the entry that marks the file as complete makes the next download fetch the rest.
  await (await caches.open(file.cache)).delete(file.url);
  return undefined;
}

/** Returns the size of a cached file. Reads a copy of the body only if no header states the length. */
export async function cachedBytes(file: PackageFile, response: Response): Promise<number> {
  if (file.bytes !== null) return file.bytes;
  if (response.headers.has(TOTAL_BYTES)) return Number(response.headers.get(TOTAL_BYTES));
  const length = response.headers.has('content-encoding') ? null : response.headers.get('content-length');
  return length === null ? (await response.clone().blob()).size : Number(length);
}
