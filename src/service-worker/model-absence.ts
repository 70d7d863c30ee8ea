import { openStore } from '../shared/store.ts';
import { CATALOGUE_MODEL_IDS } from './catalogue-model-ids.ts';

/** Why a model that could be on this device is not there. */
export type ModelAbsence = 'not-downloaded' | 'download-unfinished';

/** Why a model is not on this device; null for one that nobody has heard of. */
export async function modelAbsence(id: string): Promise<ModelAbsence | null> {
  if ((await (await openStore()).getKey('downloads', id)) !== undefined) return 'download-unfinished';
  return CATALOGUE_MODEL_IDS.has(id) ? 'not-downloaded' : null;
}
