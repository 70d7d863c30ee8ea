import { listDeviceModels } from '../../shared/storage/device-models.ts';
import type { ModelEntry } from '../../shared/models/model-entry.ts';
import { openSiteDatabase } from '../../shared/storage/site-database.ts';
import { CATALOGUE_MODEL_IDS } from './catalogue-model-ids.ts';

/** Why a known model is not on this device. */
export type ModelAbsence = 'not-downloaded' | 'download-unfinished';

/**
 * Ids of the known models that are not on this device: those of the catalogue and those with a download in progress.
 * @param ofSite The site's own models.
 */
export async function absentModels(ofSite: readonly ModelEntry[]): Promise<readonly string[]> {
  const downloading = await openSiteDatabase()
    .then((store) => store.getAllKeys('downloads'))
    .catch(() => []);
  const present = new Set((await listDeviceModels(ofSite)).map(({ id }) => id));
  return [...new Set([...downloading, ...CATALOGUE_MODEL_IDS])].filter((id) => !present.has(id));
}

/** Returns why a model is not on this device; null for an unknown model. */
export async function modelAbsence(id: string): Promise<ModelAbsence | null> {
  if ((await (await openSiteDatabase()).getKey('downloads', id)) !== undefined) return 'download-unfinished';
  return CATALOGUE_MODEL_IDS.has(id) ? 'not-downloaded' : null;
}
