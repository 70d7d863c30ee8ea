import { ENGINE_ABANDONED_PREFIX, siteLocks } from '../../shared/locks/site-locks.ts';

/**
 * Prefix of the localStorage keys of models that blocked an engine; the model's id follows. Later pages read them,
 * unless storage is denied.
 */
const KEY_PREFIX = 'tabserve-blocking-model-';

/** Ids of the models that blocked an engine of this page. */
const seen = new Set<string>();

/** Call it when the engine became unresponsive while it loaded this model. Pages then no longer preload the model. */
export function noteBlockingModel(id: string): void {
  seen.add(id);
  inStorage((storage) => storage.setItem(KEY_PREFIX + id, ''));
}

/** Call it when the model was loaded successfully. */
export function forgetBlockingModel(id: string): void {
  seen.delete(id);
  inStorage((storage) => storage.removeItem(KEY_PREFIX + id));
}

/**
 * Whether a model may be preloaded: not if it has blocked an engine, nor while any engine is marked as unresponsive, since the
 * model that blocks it may be unknown to this page.
 */
export async function mayPreload(id: string): Promise<boolean> {
  if (seen.has(id) || inStorage((storage) => storage.getItem(KEY_PREFIX + id)) === '') return false;
  const { held = [] } = await siteLocks().query();
  return !held.some(({ name }) => name?.startsWith(ENGINE_ABANDONED_PREFIX));
}

/** Calls `use` with localStorage. Returns undefined if that fails: storage may be denied or full. */
function inStorage<Result>(use: (storage: Storage) => Result): Result | undefined {
  try {
    return use(localStorage);
  } catch {
    return undefined;
  }
}
