import type { PrecacheEntry } from 'workbox-precaching';
import { withTimeout } from '../../shared/timeout.ts';

/**
 * Limit of concurrent downloads during installation. Browsers limit the connections to one server, and the page and its
 * engine need some of them.
 */
const PARALLEL_FILES = 4;

/** Query parameter in the cache key of a file whose name has no hash. */
const REVISION_PARAMETER = '__WB_REVISION__';

/** Query parameter in the cache key of a file whose headers differ from those of a site without options. */
const HOSTS_PARAMETER = '__TABSERVE_HOSTS__';

/** Response header of a file whose policy the server did not send. Its value is `service-worker`. */
const POLICY_SOURCE = 'x-tabserve-policy';

/** Milliseconds to wait for a cache read before the file is also fetched from the network. */
const CACHE_TIMEOUT = 5000;

/** Milliseconds after which a cache read during installation counts as hung. */
const INSTALL_CACHE_TIMEOUT = 30_000;

const ISOLATION = {
  'cross-origin-embedder-policy': 'require-corp',
  'cross-origin-opener-policy': 'same-origin',
};

interface SiteFile {
  /** Path relative to the scope. */
  readonly name: string;
  /** Absolute URL. */
  readonly address: string;
  /** Cache key, which differs if the contents or the headers differ. */
  readonly key: string;
  readonly cache: RequestCache;
}

interface SiteHeaders {
  /** What the site's headers say about model hosts. Files are fetched again if it changes. Default: ''. */
  readonly hosts?: string;
  /** Headers of files that the server sends without a Content-Security-Policy. Default: none. */
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * The precached files of the site. Cache name and keys are those of Workbox, which writes the list at build time and
 * which earlier builds used to serve the files. Workbox's runtime is not used, because it would take a tenth of the
 * service worker's size budget.
 */
export class SiteFiles {
  readonly #cacheName: string;
  readonly #files: ReadonlyMap<string, SiteFile>;
  readonly #headers: Readonly<Record<string, string>>;

  /**
   * @param entries The precache manifest.
   * @param scope Scope of the service worker; URLs are relative to it.
   */
  constructor(
    entries: readonly (string | PrecacheEntry)[],
    scope: string,
    { hosts = '', headers = {} }: SiteHeaders = {},
  ) {
    this.#headers = headers;
    this.#cacheName = `workbox-precache-v2-${scope}`;
    const files = entries.map((entry) => siteFile(typeof entry === 'string' ? { url: entry } : entry, scope, hosts));
    this.#files = new Map(files.map((file) => [file.address, file]));
  }

  /**
   * Fetches the files that are not cached. The site is cached completely or not at all. On a device without enough
   * storage, a first build is installed with nothing cached, so that the endpoint works and the model gets the storage.
   * A newer build is not installed then, because the files of the older one would be lost.
   * @throws if a file cannot be fetched, or if there is no room for a newer build.
   */
  async install(): Promise<void> {
    const kept = await caches.open(this.#cacheName);
    const older = new Set((await kept.keys()).map(({ url }) => addressOf(url)));
    const isUpdate = older.size > 0;
    try {
      await this.#fetchInto(kept, older);
    } catch (thrown) {
      if (isUpdate || (thrown as Error).name !== 'QuotaExceededError') throw thrown;
      await caches.delete(this.#cacheName);
    }
  }

  /** @param older Addresses of the files of an earlier build. */
  async #fetchInto(kept: Cache, older: ReadonlySet<string>): Promise<void> {
    const files = this.#files.values();
    const fetchInTurn = async () => {
      for (const { address, key, cache } of files) {
        const found = await withTimeout(INSTALL_CACHE_TIMEOUT, kept.match(key), null);
        // Without this timeout Chromium would wait for five minutes, and could not install a newer build in that time.
        if (found === null) throw new Error('The cache of this site does not answer.');
        if (found) continue;
        // The HTTP cache may keep a file without a revision for a year, with the headers of the earlier build.
        const init: RequestInit = { cache: older.has(address) ? 'reload' : cache, credentials: 'same-origin' };
        const response = await fetch(address, init);
        if (!response.ok) throw new Error(`${address} is answered with ${response.status}.`);
        // Copied because browsers reject a redirected response to a navigation.
        await kept.put(key, response.redirected ? new Response(response.body, response) : response);
      }
    };
    const turns = await Promise.allSettled(Array.from({ length: PARALLEL_FILES }, fetchInTurn));
    const failed = turns.find(({ status }) => status === 'rejected');
    if (failed !== undefined) throw (failed as PromiseRejectedResult).reason;
  }

  /** Deletes the files of earlier builds. */
  async activate(): Promise<void> {
    const kept = await caches.open(this.#cacheName);
    const keys = new Set([...this.#files.values()].map(({ key }) => key));
    for (const request of await kept.keys()) if (!keys.has(request.url)) await kept.delete(request);
  }

  /** The file at an absolute URL; a URL that ends in a slash means its `index.html`. */
  find(address: string): SiteFile | undefined {
    const url = new URL(address);
    url.hash = '';
    if (url.pathname.endsWith('/')) url.pathname += 'index.html';
    return this.#files.get(url.href);
  }

  /** The cached response; undefined if the browser has evicted it. */
  async read({ key }: SiteFile): Promise<Response | undefined> {
    return (await caches.open(this.#cacheName)).match(key);
  }

  /**
   * Responds from the cache, or from the network if the file was evicted or the cache does not reply in time. Without
   * the timeout, a cache operation that hangs could block the others, and no page or engine would start.
   */
  async answer(file: SiteFile, request: Request): Promise<Response> {
    const reading = this.read(file).catch(() => undefined);
    const kept = await withTimeout(CACHE_TIMEOUT, reading, undefined);
    const response =
      kept ?? (await fetch(request).catch(async (thrown) => (await reading) ?? Promise.reject<Response>(thrown)));
    return withHeaders(response, this.#headers);
  }

  /** The number of files, and the names of those that the browser has evicted. */
  async inspect(): Promise<{ readonly files: number; readonly missing: readonly string[] }> {
    const files = [...this.#files.values()];
    const found = await Promise.all(files.map((file) => this.read(file)));
    const missing = files.filter((_, index) => found[index] === undefined).map(({ name }) => name);
    return { files: files.length, missing };
  }
}

/**
 * Adds headers that the server did not send: those for cross-origin isolation, because WebAssembly has
 * threads only in an isolated page. Workers of an isolated page need these too, and copies cached by earlier builds lack
 * them. The given headers are added only if the server sent no policy: a server's policy is the site's own decision,
 * for example about the pages that may frame it.
 */
function withHeaders(response: Response, given: Readonly<Record<string, string>>): Response {
  if (response.type === 'opaqueredirect') return response;
  const addsPolicy = 'content-security-policy' in given && !response.headers.has('content-security-policy');
  const isIsolated = response.headers.has('cross-origin-embedder-policy');
  if (isIsolated && !addsPolicy) return response;
  const headers = new Headers(response.headers);
  if (!isIsolated) for (const [name, value] of Object.entries(ISOLATION)) headers.set(name, value);
  if (addsPolicy) {
    headers.set(POLICY_SOURCE, 'service-worker');
    for (const [name, value] of Object.entries(given)) if (!headers.has(name)) headers.set(name, value);
  }
  const { status, statusText } = response;
  return new Response(response.body, { status, statusText, headers });
}

function siteFile(
  { url, revision }: { url: string; revision?: string | null },
  scope: string,
  hosts: string,
): SiteFile {
  const address = new URL(url, scope);
  const key = new URL(address);
  // Without a revision the file's name contains a hash.
  if (revision) key.searchParams.set(REVISION_PARAMETER, revision);
  if (hosts !== '') key.searchParams.set(HOSTS_PARAMETER, hosts);
  return { name: url, address: address.href, key: key.href, cache: revision ? 'reload' : 'default' };
}

/** Returns the absolute URL of the file with a cache key. */
function addressOf(key: string): string {
  const url = new URL(key);
  for (const parameter of [REVISION_PARAMETER, HOSTS_PARAMETER]) url.searchParams.delete(parameter);
  return url.href;
}
