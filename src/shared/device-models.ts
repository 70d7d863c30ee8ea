import { BUILT_IN_MODEL_ID, builtInModel } from './built-in-model.ts';
import type { ModelEntry } from './model-entry.ts';
import { openStore } from './store.ts';

/**
 * The models that can answer on this device: the built-in one and those the user has downloaded. Read anew each
 * time, since the database is the truth.
 * @param site Root of the site with a trailing slash.
 */
export async function listDeviceModels(site: string): Promise<readonly ModelEntry[]> {
  return [builtInModel(site), ...(await (await openStore()).getAll('models'))];
}

/** One of {@link listDeviceModels}; null for an id that is not among them. */
export async function findDeviceModel(id: string, site: string): Promise<ModelEntry | null> {
  if (id === BUILT_IN_MODEL_ID) return builtInModel(site);
  return (await (await openStore()).get('models', id)) ?? null;
}
