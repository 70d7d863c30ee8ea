/**
 * A CacheStorage in memory. As in a browser, a body that fails leaves no entry, and a full store rejects with
 * QuotaExceededError.
 */
export function memoryCaches({ quota = Number.POSITIVE_INFINITY } = {}): CacheStorage & { quota: number } {
  const stores = new Map<string, Map<string, { bytes: Uint8Array<ArrayBuffer>; headers: [string, string][] }>>();
  const storage = { quota };
  const used = () =>
    [...stores.values()].flatMap((store) => [...store.values()]).reduce((sum, { bytes }) => sum + bytes.length, 0);

  function cacheOf(name: string) {
    const store = stores.get(name) ?? new Map();
    stores.set(name, store);
    const response = (key: string) => {
      const entry = store.get(key);
      return entry && new Response(entry.bytes, { headers: entry.headers });
    };
    return {
      match: async (key: RequestInfo | URL) => response(addressOf(key)),
      matchAll: async () => [...store.keys()].map((key) => response(key)),
      keys: async () => [...store.keys()].map((url) => new Request(url)),
      delete: async (key: RequestInfo | URL) => store.delete(addressOf(key)),
      async put(key: RequestInfo | URL, response: Response) {
        const bytes = new Uint8Array(
          await response.arrayBuffer().catch(() => {
            throw new TypeError("Failed to execute 'put' on 'Cache'");
          }),
        );
        if (used() + bytes.length > storage.quota) throw new DOMException('Quota exceeded.', 'QuotaExceededError');
        store.set(addressOf(key), { bytes, headers: [...response.headers] });
      },
    };
  }
  return Object.assign(storage, {
    open: async (name: string) => cacheOf(name),
    has: async (name: string) => stores.has(name),
    delete: async (name: string) => stores.delete(name),
    keys: async () => [...stores.keys()],
  }) as unknown as CacheStorage & { quota: number };
}

function addressOf(key: RequestInfo | URL): string {
  return key instanceof Request ? key.url : new URL(key).href;
}
