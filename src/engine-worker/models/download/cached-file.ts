import type { PackageFile } from '../package/package-file.ts';

/**
 * Returns a file's cached response, or undefined. Deletes an entry of the wrong length, e.g. from an interrupted WebLLM
 * download, which a load would consider complete.
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

/** Reads a copy of the body only if no length is known. */
export async function cachedBytes(file: PackageFile, response: Response): Promise<number> {
  if (file.bytes !== null) return file.bytes;
  const length = response.headers.has('content-encoding') ? null : response.headers.get('content-length');
  return length === null ? (await response.clone().blob()).size : Number(length);
}
