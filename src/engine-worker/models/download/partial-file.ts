import { isQuotaExceeded, quotaError, storageError, vanishedFileError } from './download-error.ts';
import { canBeOneFile, UNKNOWN_VERSION, versionHeaders, versionIn, type FileVersion } from './file-version.ts';
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
  #version = UNKNOWN_VERSION;

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

  /** The file's version that the pieces belong to. */
  get version(): FileVersion {
    return this.#version;
  }

  /**
   * Stores the next piece.
   * @throws DownloadError if it cannot be stored.
   */
  async append(piece: Blob, version: FileVersion): Promise<void> {
    const address = pieceKey(this.#file.url, this.#bytes);
    const headers = { 'content-length': String(piece.size), ...versionHeaders(version) };
    await this.#cache.put(address, new Response(piece, { headers })).catch((thrown: unknown) => {
      throw isQuotaExceeded(thrown) ? quotaError(this.#file, thrown) : storageError(this.#file, thrown);
    });
    this.#pieces.push(address);
    this.#bytes += piece.size;
    this.#version = version;
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

  /** Returns the last bytes of the pieces, without reading the others. */
  async end(length: number): Promise<Uint8Array<ArrayBuffer>> {
    let end = new Blob();
    for (const address of this.#pieces.toReversed()) {
      if (end.size >= length) break;
      const piece = await (await this.#cache.match(address))?.blob();
      if (piece) end = new Blob([piece, end]);
    }
    return new Uint8Array(await end.slice(-length).arrayBuffer());
  }

  async delete(): Promise<void> {
    // From the last one: if the worker dies meanwhile, no pieces stay to which those of another version could lead.
    for (const address of this.#pieces.toReversed()) await this.#cache.delete(address);
    this.#pieces = [];
    this.#bytes = 0;
    this.#version = UNKNOWN_VERSION;
  }

  /** Finds the stored pieces up to the first gap, or piece of another version. Those after it cannot be used. */
  async #find(): Promise<void> {
    for (;;) {
      const address = pieceKey(this.#file.url, this.#bytes);
      const response = await this.#cache.match(address);
      const size = Number(response?.headers.get('content-length') ?? 0);
      if (response === undefined || size === 0) return;
      const version = versionIn(response.headers);
      if (this.#bytes > 0 && !canBeOneFile(this.#version, version)) return;
      this.#pieces.push(address);
      this.#bytes += size;
      this.#version = version;
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
