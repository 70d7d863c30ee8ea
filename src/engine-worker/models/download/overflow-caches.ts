import { isQuotaExceeded } from './download-error.ts';

/** Limit of the bytes that {@link withOverflow} keeps in memory. Both built-in models together have 7 MB. */
export const OVERFLOW_BYTES = 16 * 2 ** 20;

/** A file for which the device has no storage left. */
interface OverflowFile {
  readonly body: Blob;
  readonly headers: Headers;
}

/**
 * Wraps cache storage so that this worker's memory keeps the files that the device has no storage for: only files of
 * this site, up to {@link OVERFLOW_BYTES} in all. Thus the built-in models run on a full device, although each new
 * worker fetches them again. If neither has room for a file, `put` rejects with the browser's `QuotaExceededError`.
 *
 * @param origin The site's origin.
 */
export function withOverflow(caches: CacheStorage, origin: string): CacheStorage {
  const overflows = new Map<string, Map<string, OverflowFile>>();
  const usedBytes = () =>
    [...overflows.values()].flatMap((files) => [...files.values()]).reduce((sum, { body }) => sum + body.size, 0);

  const fits = (address: string, { headers }: Response) => {
    const length = headers.get('content-length');
    return new URL(address).origin === origin && length !== null && usedBytes() + Number(length) <= OVERFLOW_BYTES;
  };

  return {
    async open(name) {
      const cache = await caches.open(name);
      const overflow = overflows.get(name) ?? new Map<string, OverflowFile>();
      overflows.set(name, overflow);
      return new OverflowCache(cache, overflow, fits);
    },
    has: (name) => caches.has(name),
    keys: () => caches.keys(),
    match: (request, options) => caches.match(request, options),
    delete(name) {
      overflows.delete(name);
      return caches.delete(name);
    },
  };
}

class OverflowCache implements Cache {
  readonly #cache: Cache;
  readonly #overflow: Map<string, OverflowFile>;
  readonly #fits: (address: string, response: Response) => boolean;

  constructor(
    cache: Cache,
    overflow: Map<string, OverflowFile>,
    fits: (address: string, response: Response) => boolean,
  ) {
    this.#cache = cache;
    this.#overflow = overflow;
    this.#fits = fits;
  }

  async match(request: RequestInfo | URL, options?: CacheQueryOptions): Promise<Response | undefined> {
    const file = this.#overflow.get(addressOf(request));
    return file === undefined ? this.#cache.match(request, options) : responseOf(file);
  }

  async matchAll(request?: RequestInfo | URL, options?: CacheQueryOptions): Promise<readonly Response[]> {
    const stored = await this.#cache.matchAll(request, options);
    const address = request === undefined ? null : addressOf(request);
    const files = [...this.#overflow].filter(([key]) => address === null || key === address);
    return [...stored, ...files.map(([, file]) => responseOf(file))];
  }

  async keys(request?: RequestInfo | URL, options?: CacheQueryOptions): Promise<readonly Request[]> {
    const stored = await this.#cache.keys(request, options);
    const address = request === undefined ? null : addressOf(request);
    const keys = [...this.#overflow.keys()].filter((key) => address === null || key === address);
    return [...stored, ...keys.map((key) => new Request(key))];
  }

  async put(request: RequestInfo | URL, response: Response): Promise<void> {
    const address = addressOf(request);
    const spare = this.#fits(address, response) ? response.clone() : null;
    try {
      await this.#cache.put(request, response);
      this.#overflow.delete(address);
    } catch (thrown) {
      if (spare === null || !isQuotaExceeded(thrown)) throw thrown;
      this.#overflow.set(address, { body: await spare.blob(), headers: spare.headers });
    } finally {
      // Frees what the clone has buffered. Not awaited: if the cache left the original body unread, the cancellation never
      // settles.
      if (spare?.bodyUsed === false) spare.body?.cancel().catch(() => {});
    }
  }

  async delete(request: RequestInfo | URL, options?: CacheQueryOptions): Promise<boolean> {
    const wasHere = this.#overflow.delete(addressOf(request));
    return (await this.#cache.delete(request, options)) || wasHere;
  }

  add(request: RequestInfo | URL): Promise<void> {
    return this.#cache.add(request);
  }

  addAll(requests: Iterable<RequestInfo>): Promise<void> {
    return this.#cache.addAll(requests as RequestInfo[]);
  }
}

const responseOf = ({ body, headers }: OverflowFile): Response => new Response(body, { headers });

function addressOf(request: RequestInfo | URL): string {
  return request instanceof Request ? request.url : new URL(request, globalThis.location?.href).href;
}
