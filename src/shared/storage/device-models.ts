import { CAN_USE_HUB } from '../hub/can-use-hub.ts';
import { listHubModels } from './hub-models.ts';
import { BROWSER_MODEL_ID, findBrowserModel } from './browser-model.ts';
import type { ModelEntry } from '../models/model-entry.ts';
import { withSettings, type ModelSettings } from '../models/model-settings.ts';
import { storageUnavailable } from './database-connection.ts';
import { openSiteDatabase, type TabserveDatabase } from './site-database.ts';

/**
 * Lists the models of a site's endpoint: those of {@link listEngineModels}, or beside the site's own those of the hub while a
 * page of this site uses one. If the database cannot be read, lists only the site's.
 */
export const listDeviceModels = CAN_USE_HUB ? listWithHub : listEngineModels;

/**
 * Finds one of {@link listDeviceModels}; null for an unknown id.
 * @throws ApiError `storage_unavailable` if the id is not the site's and the database cannot be read.
 */
export const findDeviceModel = CAN_USE_HUB ? findWithHub : findEngineModel;

async function listWithHub(ofSite: readonly ModelEntry[]): Promise<readonly ModelEntry[]> {
  const ofHub = await listHubModels().catch(() => []);
  return ofHub.length > 0 ? distinct([...ofSite, ...ofHub]) : listEngineModels(ofSite);
}

async function findWithHub(id: string, ofSite: readonly ModelEntry[]): Promise<ModelEntry | null> {
  if (ofSite.every((model) => model.id !== id)) {
    const ofHub = await listHubModels().catch((thrown: unknown) => {
      throw storageUnavailable(thrown);
    });
    // The hub's engine answers all requests, or none.
    if (ofHub.length > 0) return ofHub.find((model) => model.id === id) ?? null;
  }
  return findEngineModel(id, ofSite);
}

/**
 * Lists the models that an engine on this site can run: the site's, then those that the user downloaded (with the settings of
 * the user), then the browser's own. If the database cannot be read, lists only the site's.
 */
export async function listEngineModels(ofSite: readonly ModelEntry[]): Promise<readonly ModelEntry[]> {
  return listAllEngineModels(ofSite).catch(() => ofSite);
}

/** As {@link listEngineModels}. @throws if the database cannot be read. */
export async function listAllEngineModels(ofSite: readonly ModelEntry[]): Promise<readonly ModelEntry[]> {
  const database = await openSiteDatabase();
  const [downloaded, browser] = await Promise.all([listDownloadedModels(database), findBrowserModel(database)]);
  return distinct([...ofSite, ...downloaded, ...(browser ? [browser] : [])]);
}

function distinct(models: readonly ModelEntry[]): readonly ModelEntry[] {
  return models.filter(({ id }, index) => models.findIndex((model) => model.id === id) === index);
}

/** Lists the models that the user downloaded, each with the settings of the user. */
export async function listDownloadedModels(database: TabserveDatabase): Promise<readonly ModelEntry[]> {
  const entries = await database.getAll('models');
  return Promise.all(entries.map((entry) => withStoredSettings(database, entry)));
}

/**
 * Finds one of {@link listEngineModels}; null for an unknown id.
 * @throws ApiError `storage_unavailable` if the id is not the site's and the database cannot be read.
 */
export async function findEngineModel(id: string, ofSite: readonly ModelEntry[]): Promise<ModelEntry | null> {
  const siteModel = ofSite.find((model) => model.id === id);
  if (siteModel) return siteModel;
  try {
    const database = await openSiteDatabase();
    const found = await database.get('models', id);
    if (found) return await withStoredSettings(database, found);
    return id === BROWSER_MODEL_ID ? await findBrowserModel(database) : null;
  } catch (thrown) {
    throw storageUnavailable(thrown);
  }
}

/** The key of each setting in the database is one of these words, followed by the model's id. */
const KEYS = { contextWindow: 'context-window', parallel: 'parallel', keepAlive: 'keep-alive' } as const;

/** Returns the keys of a model's settings in the database. */
export function settingKeys(id: string) {
  return Object.values(KEYS).map((word) => `${word} ${id}` as const);
}

/** Stores settings of a model that the user downloaded. Others of its settings stay. */
export async function storeModelSettings(id: string, settings: ModelSettings): Promise<void> {
  const database = await openSiteDatabase();
  for (const [name, word] of Object.entries(KEYS) as [keyof ModelSettings, (typeof KEYS)[keyof ModelSettings]][]) {
    const value = settings[name];
    if (value !== undefined) await database.put('settings', value, `${word} ${id}`);
  }
}

async function withStoredSettings(database: TabserveDatabase, entry: ModelEntry): Promise<ModelEntry> {
  const [contextWindow, parallel, keepAlive] = await Promise.all(
    settingKeys(entry.id).map(async (key) => {
      const value = await database.get('settings', key);
      return typeof value === 'number' ? { value } : null;
    }),
  );
  return withSettings(entry, {
    ...(contextWindow && { contextWindow: contextWindow.value }),
    ...(parallel && { parallel: parallel.value }),
    ...(keepAlive && { keepAlive: keepAlive.value }),
  });
}
