import { HUB_ENGINE_PREFIX, siteLocks } from '../locks/site-locks.ts';
import { openSiteDatabase } from './site-database.ts';
import type { HubModel } from '../models/hub-model.ts';
import type { ModelEntry } from '../models/model-entry.ts';

/** Limits of what a hub may say about its models. */
const MAX = { models: 500, id: 200 } as const;

/**
 * Stores the models of the hub that answers this site's requests, so that the service worker knows them. An empty list
 * means that the site's own engine answers.
 */
export async function storeHubModels(models: readonly HubModel[]): Promise<void> {
  const database = await openSiteDatabase();
  const valid = models.slice(0, MAX.models).filter(isValid);
  if (valid.length > 0) await database.put('settings', valid, 'hub-models');
  else await database.delete('settings', 'hub-models');
}

/**
 * Removes what {@link storeHubModels} stored, unless a page of this site reaches the engine of a hub. Otherwise the models of
 * a hub that the site no longer uses would stay in place of those that the person downloaded.
 */
export async function forgetUnusedHubModels(): Promise<void> {
  const database = await openSiteDatabase();
  // Read first: meanwhile a page that has just left the hub releases its lock.
  if ((await database.get('settings', 'hub-models')) === undefined) return;
  const { held = [] } = await siteLocks().query();
  if (held.some(({ name }) => name?.startsWith(HUB_ENGINE_PREFIX))) return;
  await database.delete('settings', 'hub-models');
}

/** The models of the hub, as the site's service worker lists them. */
export async function listHubModels(): Promise<readonly ModelEntry[]> {
  const models = await (await openSiteDatabase()).get('settings', 'hub-models');
  return Array.isArray(models) ? models.map((model) => ({ ...model, modelUrl: '', libraryUrl: '' })) : [];
}

/** What a hub sends may be wrong, because it is another site. */
function isValid(model: HubModel): boolean {
  const { id, ownedBy, created, contextWindow, vocabularySize, defaultTemperature, defaultTopP } = model;
  const numbers = [created, contextWindow, vocabularySize, defaultTemperature, defaultTopP];
  return (
    typeof id === 'string' &&
    id.length > 0 &&
    id.length <= MAX.id &&
    typeof ownedBy === 'string' &&
    numbers.every((value) => Number.isFinite(value) && value >= 0)
  );
}
