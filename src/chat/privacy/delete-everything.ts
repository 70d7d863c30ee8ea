import type { ModelManager } from '../../page/model-manager.ts';

/** Milliseconds the engine may take to let go; one that does not answer must not keep the data alive. */
const PATIENCE = 5000;

/**
 * Deletes everything this origin has stored in this browser, ends downloads, frees the GPU and removes the
 * service worker. Call it last: pages that live on would store things again.
 *
 * @throws Error naming what could not be deleted.
 */
export async function deleteEverything(manager: ModelManager | undefined): Promise<void> {
  if (manager !== undefined) await atMost(PATIENCE, letGo(manager));
  // The worker first, so that nothing is answered from a cache, or put into one, meanwhile.
  const registrations = (await navigator.serviceWorker?.getRegistrations()) ?? [];
  await Promise.all(registrations.map((registration) => registration.unregister()));
  await Promise.all((await caches.keys()).map((name) => caches.delete(name)));
  localStorage.clear();
  sessionStorage.clear();
  const databases = await indexedDB.databases();
  await Promise.all(databases.flatMap(({ name }) => (name === undefined ? [] : [deleteDatabase(name)])));
}

async function letGo(manager: ModelManager): Promise<void> {
  const downloads = (await manager.list()).filter(({ state }) => state.kind === 'download');
  for (const { id } of downloads) await manager.pause(id);
  await manager.unload();
}

function deleteDatabase(name: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.deleteDatabase(name);
    request.addEventListener('success', () => resolve());
    request.addEventListener('error', () => reject(new Error(`The database ${name} could not be deleted.`)));
    // Another tab holds it open and was told to let go. Deletion goes on by itself as soon as it does.
    request.addEventListener('blocked', () =>
      setTimeout(() => reject(new Error(`Another tab still uses ${name}.`)), PATIENCE),
    );
  });
}

async function atMost(milliseconds: number, work: Promise<unknown>): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, milliseconds);
  });
  await Promise.race([work.catch(() => undefined), late]);
  clearTimeout(timer);
}
