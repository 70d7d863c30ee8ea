import { builtInModel } from '../shared/built-in-model.ts';
import type { ModelEntry } from '../shared/model-entry.ts';
import { openStore } from '../shared/store.ts';
import { CATALOGUE_MODEL_IDS } from './catalogue-model-ids.ts';

/**
 * The models of this device: the built-in one and those the user has downloaded. Read anew each time; the
 * database is the truth.
 * @param site Root of the site with a trailing slash.
 */
export async function deviceModels(site: string): Promise<readonly ModelEntry[]> {
  return [builtInModel(site), ...(await (await openStore()).getAll('models'))];
}

/** Why a model that could be on this device is not there. */
export type ModelAbsence = 'not-downloaded' | 'download-unfinished';

/** Null for a model that nobody has heard of. */
export async function modelAbsence(id: string): Promise<ModelAbsence | null> {
  if ((await (await openStore()).getKey('downloads', id)) !== undefined) return 'download-unfinished';
  return CATALOGUE_MODEL_IDS.has(id) ? 'not-downloaded' : null;
}
