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
  /** Where the pieces begin. */
  #starts: number[] = [];
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
    const headers = { 'content-length': String(piece.size), ...versionHeaders(version) };
    await this.#cache.put(this.#keyOf(this.#bytes), new Response(piece, { headers })).catch((thrown: unknown) => {
      throw isQuotaExceeded(thrown) ? quotaError(this.#file, thrown) : storageError(this.#file, thrown);
    });
    this.#starts.push(this.#bytes);
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
    const responses = await Promise.all(this.#starts.map((start) => this.#pieceAt(start)));
    return new Blob(await Promise.all(responses.flatMap((response) => response?.blob() ?? [])));
  }

  /** Returns the bytes between two places. Opens only the pieces that have them. */
  async read(from: number, to: number): Promise<Uint8Array<ArrayBuffer>> {
    const found: Blob[] = [];
    for (const [index, start] of this.#starts.entries()) {
      if (start >= to || (this.#starts[index + 1] ?? this.#bytes) <= from) continue;
      const piece = await (await this.#pieceAt(start))?.blob();
      if (piece) found.push(piece.slice(Math.max(0, from - start), to - start));
    }
    return new Uint8Array(await new Blob(found).arrayBuffer());
  }

  async delete(): Promise<void> {
    // From the last one: if the worker dies meanwhile, no pieces stay to which those of another version could lead.
    for (const start of this.#starts.toReversed()) await this.#cache.delete(this.#keyOf(start));
    this.#starts = [];
    this.#bytes = 0;
    this.#version = UNKNOWN_VERSION;
  }

  /** Finds the stored pieces up to the first gap, or piece of another version. Those after it cannot be used. */
  async #find(): Promise<void> {
    for (;;) {
      const response = await this.#pieceAt(this.#bytes);
      const size = Number(response?.headers.get('content-length') ?? 0);
      if (response === undefined || size === 0) return;
      const version = versionIn(response.headers);
      if (this.#bytes > 0 && !canBeOneFile(this.#version, version)) return;
      this.#starts.push(this.#bytes);
      this.#bytes += size;
      this.#version = version;
    }
  }

  #keyOf(start: number): string {
    return pieceKey(this.#file.url, start);
  }

  #pieceAt(start: number): Promise<Response | undefined> {
    return this.#cache.match(this.#keyOf(start));
  }

  async *#chunks(tail: Blob): AsyncGenerator<Uint8Array<ArrayBuffer>, undefined> {
    for (const start of this.#starts) {
      const piece = await this.#pieceAt(start);
      if (!piece?.body) throw vanishedFileError(this.#file);
      yield* readStream(piece.body);
    }
    yield* readStream(tail.stream());
    return undefined;
  }
}
