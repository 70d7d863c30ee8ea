import { BUILT_IN_MODEL_ID, builtInModel } from '../shared/built-in-model.ts';
import type { ModelEntry } from '../shared/model-entry.ts';
import { openStore } from '../shared/store.ts';
import { BROWSER_ENVIRONMENT } from './models/browser-environment.ts';
import { refreshBuiltIn } from './models/refresh-built-in.ts';

/** Once in the life of a worker is enough: a newer build of the site starts a worker of its own. */
let refreshed: Promise<void> | undefined;

/**
 * A model of this device: the built-in one, or one that the user has downloaded.
 * @param site Root of the site with a trailing slash.
 */
export async function findModel(id: string, site: string): Promise<ModelEntry | null> {
  if (id === BUILT_IN_MODEL_ID) {
    await (refreshed ??= refreshBuiltIn(site, BROWSER_ENVIRONMENT));
    return builtInModel(site);
  }
  const store = await openStore();
  try {
    return (await store.get('models', id)) ?? null;
  } finally {
    store.close();
  }
}
