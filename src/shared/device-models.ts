import { builtInModels } from './built-in-model.ts';
import type { ModelEntry } from './model-entry.ts';
import { storageUnavailable } from './database-connection.ts';
import { openStore } from './store.ts';

/**
 * The models that can answer on this device: the built-in ones and, where the database can be read, those the user has
 * downloaded. Read anew each time, since the database is the truth.
 * @param site Root of the site with a trailing slash.
 */
export async function listDeviceModels(site: string): Promise<readonly ModelEntry[]> {
  const downloaded = await openStore()
    .then((store) => store.getAll('models'))
    .catch(() => []);
  return [...builtInModels(site), ...downloaded];
}

/**
 * One of {@link listDeviceModels}; null for an id that is not among them.
 * @throws ApiError `storage_unavailable` where that cannot be known. The built-in ones are always known.
 */
export async function findDeviceModel(id: string, site: string): Promise<ModelEntry | null> {
  const builtIn = builtInModels(site).find((model) => model.id === id);
  if (builtIn) return builtIn;
  const found = await openStore()
    .then((store) => store.get('models', id))
    .catch((thrown: unknown) => {
      throw storageUnavailable(thrown);
    });
  return found ?? null;
}
