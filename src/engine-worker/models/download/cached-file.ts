import type { PackageFile } from '../package/package-file.ts';

/**
 * Returns the cached response of a file, or undefined. Deletes one of the wrong length, for example from an interrupted
 * download by WebLLM, because a load would take it for complete.
 */
export async function cachedFile(file: PackageFile, caches: CacheStorage): Promise<Response | undefined> {
  const cache = await caches.open(file.cache);
  const response = await cache.match(file.url);
  if (response === undefined || file.bytes === null || response.headers.has('content-encoding')) return response;
  const length = response.headers.get('content-length');
  if (length === null || Number(length) === file.bytes) return response;
  await cache.delete(file.url);
  return undefined;
}

/** Returns the size of a cached file. Reads a copy of the body only if no length is stated. */
export async function cachedBytes(file: PackageFile, response: Response): Promise<number> {
  if (file.bytes !== null) return file.bytes;
  const length = response.headers.has('content-encoding') ? null : response.headers.get('content-length');
  return length === null ? (await response.clone().blob()).size : Number(length);
}
