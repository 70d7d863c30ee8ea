import type { PackageFile } from '../package/package-file.ts';
import { networkError } from './download-error.ts';
import { readStream } from './read-stream.ts';

/**
 * Iterates over the content of a file that a server sends. Leaving the loop early cancels the transfer.
 * @throws DownloadError if the transfer fails; the signal's reason if it aborts.
 */
export async function* packets(
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
