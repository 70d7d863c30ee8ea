import { BROWSER_MODEL_ID, findBrowserModel } from './browser-model.ts';
import type { ModelEntry } from '../models/model-entry.ts';
import { withContextWindow } from '../models/window-limits.ts';
import { storageUnavailable } from './database-connection.ts';
import { openSiteDatabase, type TabserveDatabase } from './site-database.ts';

/**
 * Lists the models on this device: the site's, then those that the user downloaded (with the context windows that the
 * user has set), then the browser's own. If the database cannot be read, lists only the site's.
 */
export async function listDeviceModels(ofSite: readonly ModelEntry[]): Promise<readonly ModelEntry[]> {
  const others = await openSiteDatabase()
    .then((database) => Promise.all([listDownloadedModels(database), findBrowserModel(database)]))
    .then(([downloaded, browser]) => [...downloaded, ...(browser ? [browser] : [])])
    .catch(() => []);
  return [...ofSite, ...others].filter(({ id }, index, all) => all.findIndex((model) => model.id === id) === index);
}

/** Lists the models that the user downloaded, each with the context window that the user has set. */
export async function listDownloadedModels(database: TabserveDatabase): Promise<readonly ModelEntry[]> {
  const entries = await database.getAll('models');
  return Promise.all(entries.map((entry) => withStoredWindow(database, entry)));
}

/**
 * Finds one of {@link listDeviceModels}; null for an unknown id.
 * @throws ApiError `storage_unavailable` if the id is not the site's and the database cannot be read.
 */
export async function findDeviceModel(id: string, ofSite: readonly ModelEntry[]): Promise<ModelEntry | null> {
  const siteModel = ofSite.find((model) => model.id === id);
  if (siteModel) return siteModel;
  try {
    const database = await openSiteDatabase();
    const found = await database.get('models', id);
    if (found) return await withStoredWindow(database, found);
    return id === BROWSER_MODEL_ID ? await findBrowserModel(database) : null;
  } catch (thrown) {
    throw storageUnavailable(thrown);
  }
}

/** Stores the context window, in tokens, of a model that the user downloaded. */
export async function storeContextWindow(id: string, tokens: number): Promise<void> {
  await (await openSiteDatabase()).put('settings', tokens, `context-window ${id}`);
}

async function withStoredWindow(database: TabserveDatabase, entry: ModelEntry): Promise<ModelEntry> {
  const tokens = await database.get('settings', `context-window ${entry.id}`);
  return withContextWindow(entry, typeof tokens === 'number' ? tokens : undefined);
}
