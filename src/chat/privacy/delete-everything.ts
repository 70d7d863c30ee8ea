import { ModelManager, type Tabserve } from '../../page/index.ts';
import { sleep, withTimeout } from '../../shared/timeout.ts';
import { privacyStrings } from '../strings/privacy-strings.ts';

/**
 * Maximum milliseconds to wait for the engine or another tab. After that, the data are deleted without waiting further.
 */
const TIME_LIMIT = 5000;

/** Number of rounds in which caches are deleted, and the milliseconds between two rounds. */
const CACHE_ROUNDS = 3;
const CACHE_PAUSE = 100;

/**
 * Deletes everything that this origin has stored in this browser, stops downloads, frees the GPU and removes the
 * service worker. Call it last: it disposes of the endpoint, which would otherwise register the service worker again.
 * Other open pages may store new data afterwards.
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
  await allOf([deleteDatabases(), deleteFiles()]).finally(deleteCaches);
}

/**
 * Resolves after all deletions. What cannot be deleted, such as a database that a frozen tab keeps, must not keep all else from
 * being deleted.
 * @throws the reason of the first one that failed, after all have ended.
 */
async function allOf(deletions: readonly Promise<void>[]): Promise<void> {
  for (const each of await Promise.allSettled(deletions)) if (each.status === 'rejected') throw each.reason;
}

async function deleteDatabases(): Promise<void> {
  const databases = await indexedDB.databases();
  await allOf(databases.flatMap(({ name }) => (name === undefined ? [] : [deleteDatabase(name)])));
}

/** Empties the origin private file system, which some browsers lack in private windows. */
async function deleteFiles(): Promise<void> {
  const root = await navigator.storage.getDirectory().catch(() => null);
  if (root === null) return;
  const names: string[] = [];
  for await (const name of root.keys()) names.push(name);
  await allOf(names.map((name) => root.removeEntry(name, { recursive: true })));
}

/**
 * Deletes all caches in several rounds. Until the page is left, the removed service worker finishes what it has begun,
 * such as an installation, and opens its cache again.
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
    // Another tab keeps the database open although it was asked to close it. The deletion proceeds when that tab closes
    // it.
    request.addEventListener('blocked', () =>
      setTimeout(() => reject(new Error(privacyStrings.databaseInUse(name))), TIME_LIMIT),
    );
  });
}
