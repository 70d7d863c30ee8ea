import type { PackageFile } from '../package/package-file.ts';

/**
 * The cached response of a file, or undefined. An entry whose length is not the announced one, as an
 * interrupted download of WebLLM itself may leave, is deleted: a load would take it for whole.
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

/** Size of a cached file, without reading it where its length was stored with it. The response can still be read. */
export async function cachedBytes(file: PackageFile, response: Response): Promise<number> {
  if (file.bytes !== null) return file.bytes;
  const length = response.headers.has('content-encoding') ? null : response.headers.get('content-length');
  return length === null ? (await response.clone().blob()).size : Number(length);
}
