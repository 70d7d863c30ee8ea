import type { ModelEntry } from './model-entry.ts';
import { storageUnavailable } from '../storage/database-connection.ts';
import { openSiteDatabase } from '../storage/site-database.ts';

/**
 * The models that can answer on this device: those of the site and, where the database can be read, those the user has
 * downloaded. Read anew each time, since the database is the truth.
 * @param ofSite The models that the site brings with it.
 */
export async function listDeviceModels(ofSite: readonly ModelEntry[]): Promise<readonly ModelEntry[]> {
  const downloaded = await openSiteDatabase()
    .then((store) => store.getAll('models'))
    .catch(() => []);
  return [...ofSite, ...downloaded.filter(({ id }) => ofSite.every((model) => model.id !== id))];
}

/**
 * One of {@link listDeviceModels}; null for an id that is not among them.
 * @throws ApiError `storage_unavailable` where that cannot be known. Those of the site are always known.
 */
export async function findDeviceModel(id: string, ofSite: readonly ModelEntry[]): Promise<ModelEntry | null> {
  const brought = ofSite.find((model) => model.id === id);
  if (brought) return brought;
  const found = await openSiteDatabase()
    .then((store) => store.get('models', id))
    .catch((thrown: unknown) => {
      throw storageUnavailable(thrown);
    });
  return found ?? null;
}
