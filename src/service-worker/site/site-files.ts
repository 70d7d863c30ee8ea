import type { PrecacheEntry } from 'workbox-precaching';
import { withTimeout } from '../../shared/timeout.ts';

/** Files that are fetched at a time: the page and its engine want some of the same server's connections, too. */
const PARALLEL_FILES = 4;

/** Stands in the address under which a file is kept that is called the same in every build. */
const REVISION_PARAMETER = '__WB_REVISION__';

/** Milliseconds for the browser to say what it keeps, before the network is asked as well. */
const CACHE_TIME = 5000;

/** Milliseconds after which the browser will not say it any more. */
const STANDSTILL = 30_000;

interface SiteFile {
  /** As the build calls it, relative to the scope. */
  readonly name: string;
  /** Whole address. */
  readonly address: string;
  /** What it is kept under: other contents, another key. */
  readonly key: string;
  readonly cache: RequestCache;
}

/**
 * The files that the page consists of, kept on the device. Names and keys are those of Workbox, which writes the list at
 * build time and kept the files in earlier builds; its own code for this is a tenth of what a service worker may weigh.
 */
export class SiteFiles {
  readonly #cacheName: string;
  readonly #files: ReadonlyMap<string, SiteFile>;

  /**
   * @param entries What the build says.
   * @param scope Of the service worker; addresses are relative to it.
   */
  constructor(entries: readonly (string | PrecacheEntry)[], scope: string) {
    this.#cacheName = `workbox-precache-v2-${scope}`;
    const files = entries.map((entry) => siteFile(typeof entry === 'string' ? { url: entry } : entry, scope));
    this.#files = new Map(files.map((file) => [file.address, file]));
  }

  /** Fetches the files that are not here yet, a few at a time. @throws where one cannot be had: no page is half here. */
  async install(): Promise<void> {
    const kept = await caches.open(this.#cacheName);
    const files = this.#files.values();
    const fetchInTurn = async () => {
      for (const { address, key, cache } of files) {
        const found = await withTimeout(STANDSTILL, kept.match(key), null);
        // Chromium would let this go on for five minutes, in which no newer build can come.
        if (found === null) throw new Error('The cache of this site does not answer.');
        if (found) continue;
        const response = await fetch(address, { cache, credentials: 'same-origin' });
        if (!response.ok) throw new Error(`${address} is answered with ${response.status}.`);
        // Browsers refuse to open a page with a response that was redirected.
        await kept.put(key, response.redirected ? new Response(response.body, response) : response);
      }
    };
    await Promise.all(Array.from({ length: PARALLEL_FILES }, fetchInTurn));
  }

  /** Deletes what only earlier builds need, once no page uses them any more. */
  async activate(): Promise<void> {
    const kept = await caches.open(this.#cacheName);
    const keys = new Set([...this.#files.values()].map(({ key }) => key));
    for (const request of await kept.keys()) if (!keys.has(request.url)) await kept.delete(request);
  }

  /** The file that is meant by a whole address, that of a folder meaning its page; undefined where it is none of these. */
  find(address: string): SiteFile | undefined {
    const url = new URL(address);
    url.hash = '';
    if (url.pathname.endsWith('/')) url.pathname += 'index.html';
    return this.#files.get(url.href);
  }

  /** A file as it is kept; undefined where the browser has evicted it. */
  async read({ key }: SiteFile): Promise<Response | undefined> {
    return (await caches.open(this.#cacheName)).match(key);
  }

  /**
   * Answers with what is kept, or from the network where that has been evicted. It also asks the network where the browser
   * does not say for long: operations of one cache can wait for each other, and without a limit one that hangs would let no
   * page and no engine start.
   */
  async answer(file: SiteFile, request: Request): Promise<Response> {
    const reading = this.read(file).catch(() => undefined);
    const kept = await withTimeout(CACHE_TIME, reading, undefined);
    return kept ?? fetch(request).catch(async (thrown) => (await reading) ?? Promise.reject(thrown));
  }

  /** How many there are, and the names of those that the browser has evicted. */
  async inspect(): Promise<{ readonly files: number; readonly missing: readonly string[] }> {
    const files = [...this.#files.values()];
    const found = await Promise.all(files.map((file) => this.read(file)));
    const missing = files.filter((_, index) => found[index] === undefined).map(({ name }) => name);
    return { files: files.length, missing };
  }
}

function siteFile({ url, revision }: { url: string; revision?: string | null }, scope: string): SiteFile {
  const address = new URL(url, scope);
  const key = new URL(address);
  // Without a revision the name itself changes with the contents.
  if (revision) key.searchParams.set(REVISION_PARAMETER, revision);
  return { name: url, address: address.href, key: key.href, cache: revision ? 'reload' : 'default' };
}
