import type { ModelEntry } from './model-entry.ts';
import { storageUnavailable } from '../storage/database-connection.ts';
import { openSiteDatabase } from '../storage/site-database.ts';

/**
 * The models on this device: the site's own and those that the user downloaded. If the database cannot be read, only the
 * site's own.
 */
export async function listDeviceModels(ofSite: readonly ModelEntry[]): Promise<readonly ModelEntry[]> {
  const downloaded = await openSiteDatabase()
    .then((store) => store.getAll('models'))
    .catch(() => []);
  return [...ofSite, ...downloaded.filter(({ id }) => ofSite.every((model) => model.id !== id))];
}

/**
 * Finds one of {@link listDeviceModels}; null for an unknown id.
 * @throws ApiError `storage_unavailable` if the id is not the site's and the database cannot be read.
 */
export async function findDeviceModel(id: string, ofSite: readonly ModelEntry[]): Promise<ModelEntry | null> {
  const siteModel = ofSite.find((model) => model.id === id);
  if (siteModel) return siteModel;
  const found = await openSiteDatabase()
    .then((store) => store.get('models', id))
    .catch((thrown: unknown) => {
      throw storageUnavailable(thrown);
    });
  return found ?? null;
}
