import type { Page } from '@playwright/test';

/**
 * Returns everything that this origin stores as one text: databases, caches, localStorage and sessionStorage. Without the
 * speed of this device, which any other page of the site may measure and store meanwhile.
 */
export function everythingStored(page: Page): Promise<string> {
  return page.evaluate(async () => {
    const { 'tabserve-device-speed': _, ...local } = { ...localStorage };
    const stored: Record<string, unknown> = { local, session: { ...sessionStorage } };
    for (const { name } of await indexedDB.databases()) {
      const database = await new Promise<IDBDatabase>((resolve, reject) => {
        const request = indexedDB.open(name!);
        request.addEventListener('success', () => resolve(request.result));
        request.addEventListener('error', () => reject(request.error!));
      });
      for (const table of database.objectStoreNames) {
        stored[`${name} ${table}`] = await new Promise((resolve, reject) => {
          const request = database.transaction(table).objectStore(table).getAll();
          request.addEventListener('success', () => resolve(request.result));
          request.addEventListener('error', () => reject(request.error!));
        });
      }
      database.close();
    }
    for (const name of await caches.keys()) {
      const cache = await caches.open(name);
      stored[`cache ${name}`] = await Promise.all(
        (await cache.keys()).map(async ({ url }) => [url, (await cache.match(url))?.headers.get('content-length')]),
      );
    }
    return JSON.stringify(stored, (_key, value: unknown) => (value instanceof CryptoKey ? 'key' : value));
  });
}
