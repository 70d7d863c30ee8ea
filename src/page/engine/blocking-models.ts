import { ENGINE_ABANDONED_PREFIX, siteLocks } from '../../shared/locks/site-locks.ts';
import { tryStorage } from './try-storage.ts';

/**
 * Prefix of the localStorage keys of models that made an engine unresponsive; the model's id follows. Pages that are
 * opened later read the keys, unless storage is denied.
 */
const KEY_PREFIX = 'tabserve-blocking-model-';

/** Ids of the models that made an engine unresponsive while this page was open. */
const seen = new Set<string>();

/** Records that the engine became unresponsive while it loaded this model. Pages no longer preload such a model. */
export function noteBlockingModel(id: string): void {
  seen.add(id);
  tryStorage(() => localStorage.setItem(KEY_PREFIX + id, ''));
}

/** Removes the record of {@link noteBlockingModel}, because the model was loaded successfully. */
export function forgetBlockingModel(id: string): void {
  seen.delete(id);
  tryStorage(() => localStorage.removeItem(KEY_PREFIX + id));
}

/**
 * Whether a page may preload a model: false if the model has made an engine unresponsive. Also false while any engine
 * is marked as unresponsive, since this page may not know which model caused that.
 */
export async function mayPreload(id: string): Promise<boolean> {
  if (seen.has(id) || tryStorage(() => localStorage.getItem(KEY_PREFIX + id)) === '') return false;
  const { held = [] } = await siteLocks().query();
  return !held.some(({ name }) => name?.startsWith(ENGINE_ABANDONED_PREFIX));
}
