import { isQuotaExceeded, quotaError, storageError } from './download-error.ts';
import { FILE_KINDS, type PackageFile } from '../package/package-file.ts';
import { verifiedStream } from './verified-stream.ts';

/**
 * Stores a complete file in WebLLM's cache if it passes verification.
 * @throws DownloadError if it does not pass, or cannot be stored; the signal's reason if it aborts.
 */
export async function commitFile(
  file: PackageFile,
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  bytes: number,
  caches: CacheStorage,
  signal: AbortSignal,
): Promise<void> {
  const cache = await caches.open(file.cache);
  const check = verifiedStream(file);
  const headers = { 'content-type': FILE_KINDS[file.kind], 'content-length': String(bytes) };
  const [piped, put] = await Promise.allSettled([
    body.pipeTo(check.writable, { signal }),
    cache.put(file.url, new Response(check.readable, { headers })),
  ]);
  signal.throwIfAborted();
  if (put.status === 'rejected' && isQuotaExceeded(put.reason)) throw quotaError(file, put.reason);
  // The error of the pipe names the cause. The cache only reports a broken body.
  if (piped.status === 'rejected') throw piped.reason;
  if (put.status === 'rejected') throw storageError(file, put.reason);
}
