import { commitFile } from './commit-file.ts';
import { DownloadError, tooLongError, networkError, tooShortError } from './download-error.ts';
import type { PackageFile } from '../package/package-file.ts';
import { PartialFile } from './partial-file.ts';
import { readStream } from './read-stream.ts';
import { rangeRequest } from './range-request.ts';

/** Bytes held in memory before they are put aside: what a killed worker loses of each file at most. */
export const PIECE_BYTES = 8 * 2 ** 20;

export interface FetchFileOptions {
  readonly fetch: typeof fetch;
  readonly caches: CacheStorage;
  readonly signal: AbortSignal;
  /** Told after every packet. `received` falls when a server makes a file start anew. */
  report(progress: { received: number; total: number | null; resumable: boolean }): void;
}

/**
 * Brings one file into the cache where WebLLM looks for it, whole and verified or not at all. What arrived
 * before a break stays aside, and the next call asks the server for the rest only.
 *
 * @throws DownloadError; the signal's reason when aborted.
 */
export async function fetchFile(file: PackageFile, options: FetchFileOptions): Promise<void> {
  const { caches, signal } = options;
  const partial = await PartialFile.open(caches, file);
  let tail = new Blob();
  try {
    // A whole file whose last step was interrupted needs no request.
    if (partial.bytes === 0 || partial.bytes !== file.bytes) tail = await receive(file, partial, options);
    await commitFile(file, partial.stream(tail), partial.bytes + tail.size, caches, signal);
    await partial.delete();
  } catch (thrown) {
    if (thrown instanceof DownloadError && thrown.corrupt) await partial.delete();
    throw thrown;
  }
}

/** Receives the rest. Gives its end, which stays in memory; all before it is put aside. */
async function receive(file: PackageFile, partial: PartialFile, options: FetchFileOptions): Promise<Blob> {
  const { signal, report } = options;
  const { body, total, etag, restarted, resumable } = await rangeRequest(file, partial, options.fetch, signal);
  if (restarted) await partial.delete();
  let tail: Uint8Array<ArrayBuffer>[] = [];
  let received = partial.bytes;
  const putAside = async () => {
    if (tail.length > 0) await partial.append(new Blob(tail), etag);
    tail = [];
  };
  report({ received, total, resumable });
  try {
    for await (const chunk of packets(file, body, signal)) {
      tail.push(chunk);
      received += chunk.byteLength;
      report({ received, total, resumable });
      if (file.bytes !== null && received > file.bytes) throw tooLongError(file, received);
      if (received - partial.bytes >= PIECE_BYTES) await putAside();
    }
    if (file.bytes !== null && received < file.bytes) throw tooShortError(file, received);
  } catch (thrown) {
    await putAside();
    throw thrown;
  }
  return new Blob(tail);
}

async function* packets(
  file: PackageFile,
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  try {
    for await (const chunk of readStream(body)) {
      signal.throwIfAborted();
      yield chunk;
    }
  } catch (thrown) {
    signal.throwIfAborted();
    throw networkError(file, thrown);
  }
}
