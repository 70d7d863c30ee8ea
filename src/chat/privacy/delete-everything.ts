import { ModelManager, type Tabserve } from '../../page/index.ts';
import { sleep, withTimeout } from '../../shared/timeout.ts';
import { privacyStrings } from '../strings/privacy.ts';

/** Maximum milliseconds to wait for the engine or another tab. If it hangs, the data are deleted all the same. */
const TIME_LIMIT = 5000;

/** How often caches are deleted, and the milliseconds after each time. */
const CACHE_ROUNDS = 3;
const CACHE_PAUSE = 100;

/**
 * Deletes everything that this origin has stored in this browser, cancels downloads, frees the GPU and removes the
 * service worker. Call it last: it closes the endpoint, which would otherwise register the service worker again. Other
 * open pages may store new data.
 * @throws Error that names what could not be deleted.
 */
export async function deleteEverything(tabserve: Tabserve): Promise<void> {
  const stopped = stopEngine(new ModelManager(tabserve)).catch(() => undefined);
  await withTimeout(TIME_LIMIT, stopped, undefined);
  tabserve.dispose();
  const registrations = (await navigator.serviceWorker?.getRegistrations()) ?? [];
  await Promise.all(registrations.map((registration) => registration.unregister()));
  localStorage.clear();
  sessionStorage.clear();
  const databases = await indexedDB.databases();
  await Promise.all(databases.flatMap(({ name }) => (name === undefined ? [] : [deleteDatabase(name)])));
  await deleteCaches();
}

/**
 * Deletes all caches, and once more those that appear meanwhile: until the page is left, the removed service worker goes on with
 * what it has begun, such as an installation, which opens its cache again.
 */
async function deleteCaches(): Promise<void> {
  for (let round = 0; round < CACHE_ROUNDS; round++) {
    const names = await caches.keys();
    await Promise.all(names.map((name) => caches.delete(name)));
    await sleep(CACHE_PAUSE);
  }
}

async function stopEngine(manager: ModelManager): Promise<void> {
  const downloads = (await manager.list()).filter(({ state }) => state.kind === 'download');
  for (const { id } of downloads) await manager.pause(id);
  await manager.unload();
}

function deleteDatabase(name: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.deleteDatabase(name);
    request.addEventListener('success', () => resolve());
    request.addEventListener('error', () => reject(new Error(privacyStrings.databaseKept(name))));
    // Another tab keeps the database open although asked to close it. The deletion proceeds when the tab closes it.
    request.addEventListener('blocked', () =>
      setTimeout(() => reject(new Error(privacyStrings.databaseInUse(name))), TIME_LIMIT),
    );
  });
}
