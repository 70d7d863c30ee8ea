import { builtInModel } from '../shared/built-in-model.ts';
import type { ModelEntry } from '../shared/model-entry.ts';
import { openStore } from '../shared/store.ts';

/**
 * The models of this device: the built-in one and those the user has downloaded. Read anew each time; the
 * database is the truth.
 * @param site Root of the site with a trailing slash.
 */
export async function deviceModels(site: string): Promise<readonly ModelEntry[]> {
  const store = await openStore();
  try {
    return [builtInModel(site), ...(await store.getAll('models'))];
  } finally {
    store.close();
  }
}
