import { commitFile, commitPieces } from './commit-file.ts';
import { DownloadError, replacedError, tooLongError, tooShortError } from './download-error.ts';
import type { PackageFile } from '../package/package-file.ts';
import { packets } from './packets.ts';
import { PartialFile } from './partial-file.ts';
import { rangeRequest } from './range-request.ts';
import { sameAs } from './same-as.ts';

/**
 * Bytes of a file that are buffered before they are stored as a piece. If the worker dies, each file loses at most this
 * many bytes.
 */
export const PIECE_BYTES = 8 * 2 ** 20;

export interface DownloadFileOptions {
  readonly fetch: typeof fetch;
  readonly caches: CacheStorage;
  readonly signal: AbortSignal;
  /** @throws DownloadError if the storage has no room for so many bytes more. */
  requireFree(bytes: number): Promise<void>;
  /** See `DownloadEnvironment.onChecked`. */
  onChecked?(share: number): void;
  /** Called for every packet. `received` decreases if the server starts again at the beginning of the file. */
  report(progress: { received: number; total: number | null; resumable: boolean }): void;
}

/**
 * Downloads one file. The cache gets an entry at its address only after it is complete and verified. After an
 * interruption, the next call resumes from the partial data.
 *
 * @throws DownloadError if the file cannot be fetched, verified or stored; the signal's reason if it aborts.
 */
export async function downloadFile(file: PackageFile, options: DownloadFileOptions): Promise<void> {
  const { caches, signal } = options;
  const partial = await PartialFile.open(caches, file);
  let tail = new Blob();
  try {
    // If the partial file is already complete, it only has to be verified and moved.
    if (partial.bytes === 0 || partial.bytes !== file.bytes) tail = await receive(file, partial, options);
    if (file.kind === 'gguf') {
      if (tail.size > 0) await partial.append(tail, partial.version);
      await commitPieces(file, partial, options);
    } else {
      await commitFile(file, partial.stream(tail), partial.bytes + tail.size, caches, signal);
      await partial.delete();
    }
  } catch (thrown) {
    if (thrown instanceof DownloadError && thrown.corrupt) await partial.delete();
    throw thrown;
  }
}

/** Receives the rest of a file. Stores it in pieces, except the last piece, which it returns. */
async function receive(file: PackageFile, partial: PartialFile, options: DownloadFileOptions): Promise<Blob> {
  const { signal, report, requireFree } = options;
  const response = await rangeRequest(file, partial, options.fetch, signal);
  const { body, from, total, bytes, version, restarted, resumable } = response;
  if (restarted) await partial.delete();
  // Known sizes were checked before the first request.
  if (file.kind === 'gguf' && file.bytes === null && total !== null)
    await requireFree(total - partial.bytes).catch(async (thrown: unknown) => {
      await body.cancel();
      throw thrown;
    });
  let tail: Uint8Array<ArrayBuffer>[] = [];
  let received = from;
  const isHere = sameAs(() => partial.stream(new Blob()));
  const putAside = async () => {
    if (tail.length > 0) await partial.append(new Blob(tail), version);
    tail = [];
  };
  report({ received, total, resumable });
  try {
    for await (const chunk of packets(file, body, signal)) {
      const again = chunk.subarray(0, Math.max(0, partial.bytes - received));
      if (!(await isHere(again))) throw replacedError(file);
      if (again.length < chunk.length) tail.push(chunk.subarray(again.length));
      received += chunk.byteLength;
      report({ received, total, resumable });
      if (file.bytes !== null && received > file.bytes) throw tooLongError(file, received);
      if (received - partial.bytes >= PIECE_BYTES) await putAside();
    }
    if (bytes !== null && received < bytes) throw tooShortError({ ...file, bytes }, received);
    if (received < partial.bytes) throw replacedError(file);
  } catch (thrown) {
    await putAside();
    throw thrown;
  }
  return new Blob(tail);
}
