import { ModelManager, type Tabserve } from '../../page/index.ts';
import { withTimeout } from '../../shared/timeout.ts';
import { privacyStrings } from '../strings/privacy.ts';

/** Milliseconds the engine, or another tab, may take to let go; one that does not answer must not keep the data alive. */
const TIME_LIMIT = 5000;

/**
 * Deletes everything this origin has stored in this browser, ends downloads, frees the GPU and removes the
 * service worker. Call it last: it lets go of the endpoint, which would register that worker anew, and other pages that
 * live on store things again.
 *
 * @throws Error naming what could not be deleted.
 */
export async function deleteEverything(tabserve: Tabserve): Promise<void> {
  const stopped = stopEngine(new ModelManager(tabserve)).catch(() => undefined);
  await withTimeout(TIME_LIMIT, stopped, undefined);
  tabserve.dispose();
  // The worker first, so that nothing is answered from a cache, or put into one, meanwhile.
  const registrations = (await navigator.serviceWorker?.getRegistrations()) ?? [];
  await Promise.all(registrations.map((registration) => registration.unregister()));
  await Promise.all((await caches.keys()).map((name) => caches.delete(name)));
  localStorage.clear();
  sessionStorage.clear();
  const databases = await indexedDB.databases();
  await Promise.all(databases.flatMap(({ name }) => (name === undefined ? [] : [deleteDatabase(name)])));
}

/** Ends the downloads and frees the GPU. */
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
    // Another tab holds it open and was told to let go. Deletion goes on by itself as soon as it does.
    request.addEventListener('blocked', () =>
      setTimeout(() => reject(new Error(privacyStrings.databaseInUse(name))), TIME_LIMIT),
    );
  });
}
