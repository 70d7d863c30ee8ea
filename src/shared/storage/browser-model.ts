import { openSiteDatabase, type TabserveDatabase } from './site-database.ts';
import type { ModelEntry } from '../models/model-entry.ts';

/** Id of the browser's own model, which pages use as `LanguageModel`. */
export const BROWSER_MODEL_ID = 'browser';

/** Context window in tokens that is assumed until the browser has reported the true one. */
const ASSUMED_WINDOW = 4096;

/** Returns the entry of the browser's own model; null if no page has found one. */
export async function findBrowserModel(database: TabserveDatabase): Promise<ModelEntry | null> {
  const contextWindow = await database.get('settings', 'browser-model');
  if (typeof contextWindow !== 'number') return null;
  return {
    id: BROWSER_MODEL_ID,
    created: 0,
    ownedBy: 'browser',
    contextWindow,
    vocabularySize: 2 ** 31,
    defaultTemperature: 1,
    defaultTopP: 1,
    images: false,
    thinking: null,
    format: 'browser',
    modelUrl: '',
    libraryUrl: '',
  };
}

/** Stores whether this browser has a model of its own. A context window that was stored earlier is kept. */
export async function storeBrowserModel(exists: boolean): Promise<void> {
  const database = await openSiteDatabase();
  // Every page calls this when it opens, so only changes are written.
  const isKnown = (await database.get('settings', 'browser-model')) !== undefined;
  if (exists && !isKnown) await storeBrowserWindow(ASSUMED_WINDOW);
  if (!exists && isKnown) await database.delete('settings', 'browser-model');
}

/** Stores the context window of the browser's own model, in tokens. */
export async function storeBrowserWindow(tokens: number): Promise<void> {
  await (await openSiteDatabase()).put('settings', tokens, 'browser-model');
}
