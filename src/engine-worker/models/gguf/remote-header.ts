import { httpError, networkError } from '../download/download-error.ts';
import { readStream } from '../download/read-stream.ts';
import { withStallTimeout } from '../download/with-stall-timeout.ts';
import type { PackageFile } from '../package/package-file.ts';
import type { HeaderSource } from '../package/read-gguf-header.ts';

/**
 * Reads the beginning of a file on a server. It fetches only the bytes that are needed, and each byte only once if the
 * server supports ranges.
 */
export class RemoteHeader implements HeaderSource {
  size = Number.POSITIVE_INFINITY;
  readonly #file: PackageFile;
  readonly #fetch: typeof fetch;
  #read = new Uint8Array(0);

  constructor(file: PackageFile, fetch: typeof globalThis.fetch) {
    this.#file = file;
    this.#fetch = withStallTimeout(fetch);
  }

  slice(start: number, end: number): { arrayBuffer(): Promise<ArrayBuffer> } {
    return {
      arrayBuffer: async () => {
        if (this.#read.length < end) await this.#readOn(end);
        return this.#read.slice(start, end).buffer;
      },
    };
  }

  /** @throws DownloadError if the server does not send the bytes. */
  async #readOn(end: number): Promise<void> {
    const from = this.#read.length;
    const response = await this.#fetch(this.#file.url, {
      cache: 'no-store',
      headers: { range: `bytes=${from}-${end - 1}` },
    }).catch((thrown: unknown) => {
      throw networkError(this.#file, thrown);
    });
    if (!response.ok || response.body === null) throw httpError(this.#file, response);
    const isRange = response.status === 206;
    const total = isRange ? /\/(\d+)$/.exec(response.headers.get('content-range') ?? '')?.[1] : lengthOf(response);
    if (total !== undefined) this.size = Number(total);
    const chunks = isRange ? [this.#read] : [];
    let received = isRange ? from : 0;
    try {
      // A server that ignores the range sends the whole file, so reading stops early.
      for await (const chunk of readStream(response.body)) {
        chunks.push(chunk as Uint8Array<ArrayBuffer>);
        received += chunk.byteLength;
        if (received >= end) break;
      }
    } catch (thrown) {
      throw networkError(this.#file, thrown);
    }
    this.#read = new Uint8Array(await new Blob(chunks).arrayBuffer());
    if (received < end) this.size = received;
  }
}

function lengthOf({ headers }: Response): string | undefined {
  return headers.has('content-encoding') ? undefined : (headers.get('content-length') ?? undefined);
}
