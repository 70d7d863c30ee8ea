import { BUILT_IN_MODEL_ID, builtInModel } from '../shared/built-in-model.ts';
import type { ModelEntry } from '../shared/model-entry.ts';
import { openStore } from '../shared/store.ts';

/**
 * A model of this device: the built-in one, or one that the user has downloaded.
 * @param site Root of the site with a trailing slash.
 */
export async function findModel(id: string, site: string): Promise<ModelEntry | null> {
  if (id === BUILT_IN_MODEL_ID) return builtInModel(site);
  return (await (await openStore()).get('models', id)) ?? null;
}
