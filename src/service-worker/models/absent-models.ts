import { listDeviceModels } from '../../shared/models/device-models.ts';
import type { ModelEntry } from '../../shared/models/model-entry.ts';
import { openSiteDatabase } from '../../shared/storage/site-database.ts';
import { CATALOGUE_MODEL_IDS } from './catalogue-model-ids.ts';

/** Why a model that could be on this device is not there. */
export type ModelAbsence = 'not-downloaded' | 'download-unfinished';

/**
 * Ids of the models that are not on this device and could be: those of the catalogue, and whatever download has begun.
 * @param ofSite The models that the site brings with it.
 */
export async function absentModels(ofSite: readonly ModelEntry[]): Promise<readonly string[]> {
  const begun = await openSiteDatabase()
    .then((store) => store.getAllKeys('downloads'))
    .catch(() => []);
  const present = new Set((await listDeviceModels(ofSite)).map(({ id }) => id));
  return [...new Set([...begun, ...CATALOGUE_MODEL_IDS])].filter((id) => !present.has(id));
}

/** Why a model is not on this device; null for one that nobody has heard of. */
export async function modelAbsence(id: string): Promise<ModelAbsence | null> {
  if ((await (await openSiteDatabase()).getKey('downloads', id)) !== undefined) return 'download-unfinished';
  return CATALOGUE_MODEL_IDS.has(id) ? 'not-downloaded' : null;
}
