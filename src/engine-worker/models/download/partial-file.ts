import { isQuotaExceeded, quotaError, storageError, vanishedFileError } from './download-error.ts';
import type { PackageFile } from '../package/package-file.ts';
import { pieceKey } from './piece-key.ts';
import { readStream } from './read-stream.ts';

/**
 * Cache for the pieces of unfinished files and of complete GGUF files. They need their own cache, because WebLLM treats
 * every entry of its caches as a complete file.
 */
export const PARTIAL_CACHE = 'tabserve/partial';

/**
 * The beginning of a file, stored as pieces in a cache. A later download, also one by another worker, resumes from it.
 * The pieces of a `gguf` file stay when it is complete.
 */
export class PartialFile {
  readonly #cache: Cache;
  readonly #file: PackageFile;
  #pieces: string[] = [];
  #bytes = 0;
  #etag: string | null = null;

  private constructor(cache: Cache, file: PackageFile) {
    this.#cache = cache;
    this.#file = file;
  }

  static async open(caches: CacheStorage, file: PackageFile): Promise<PartialFile> {
    const partial = new PartialFile(await caches.open(PARTIAL_CACHE), file);
    await partial.#find();
    return partial;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** ETag of the file's version that the pieces belong to; null if the server sent none. */
  get etag(): string | null {
    return this.#etag;
  }

  /**
   * Stores the next piece.
   * @throws DownloadError if it cannot be stored.
   */
  async append(piece: Blob, etag: string | null): Promise<void> {
    const address = pieceKey(this.#file.url, this.#bytes);
    const headers = { 'content-length': String(piece.size), ...(etag === null ? {} : { etag }) };
    await this.#cache.put(address, new Response(piece, { headers })).catch((thrown: unknown) => {
      throw isQuotaExceeded(thrown) ? quotaError(this.#file, thrown) : storageError(this.#file, thrown);
    });
    this.#pieces.push(address);
    this.#bytes += piece.size;
    this.#etag = etag;
  }

  /** Streams the pieces in order, then `tail`. */
  stream(tail: Blob): ReadableStream<Uint8Array<ArrayBuffer>> {
    const chunks = this.#chunks(tail);
    return new ReadableStream({
      async pull(controller) {
        const { done, value } = await chunks.next();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      async cancel() {
        await chunks.return(undefined);
      },
    });
  }

  /** Returns the pieces as one file. */
  async blob(): Promise<Blob> {
    const responses = await Promise.all(this.#pieces.map((address) => this.#cache.match(address)));
    return new Blob(await Promise.all(responses.flatMap((response) => response?.blob() ?? [])));
  }

  async delete(): Promise<void> {
    for (const address of this.#pieces) await this.#cache.delete(address);
    this.#pieces = [];
    this.#bytes = 0;
    this.#etag = null;
  }

  /** Finds the stored pieces up to the first gap. Pieces after a gap cannot be used. */
  async #find(): Promise<void> {
    for (;;) {
      const address = pieceKey(this.#file.url, this.#bytes);
      const response = await this.#cache.match(address);
      const size = Number(response?.headers.get('content-length') ?? 0);
      if (response === undefined || size === 0) return;
      this.#pieces.push(address);
      this.#bytes += size;
      this.#etag = response.headers.get('etag');
    }
  }

  async *#chunks(tail: Blob): AsyncGenerator<Uint8Array<ArrayBuffer>, undefined> {
    for (const address of this.#pieces) {
      const piece = await this.#cache.match(address);
      if (!piece?.body) throw vanishedFileError(this.#file);
      yield* readStream(piece.body);
    }
    yield* readStream(tail.stream());
    return undefined;
  }
}
