import { ENGINE_ABANDONED_PREFIX, siteLocks } from '../../shared/locks/site-locks.ts';

/** Key of localStorage, with the model's id behind it: the next page is to know too, best effort. */
const KEY_PREFIX = 'tabserve-blocking-model-';

/** What this page has seen itself. */
const seen = new Set<string>();

/** The engine stopped answering while it loaded this model. Somebody may ask for it all the same, or delete it. */
export function noteBlockingModel(id: string): void {
  seen.add(id);
  inStorage((storage) => storage.setItem(KEY_PREFIX + id, ''));
}

/** The model has been loaded: whatever was in the way is gone. */
export function forgetBlockingModel(id: string): void {
  seen.delete(id);
  inStorage((storage) => storage.removeItem(KEY_PREFIX + id));
}

/**
 * Whether a model may be loaded without anybody's asking for it: not one that has blocked an engine, nor any as long as an
 * engine stands still, for a page that only found it so does not know which model is to blame.
 */
export async function mayPreload(id: string): Promise<boolean> {
  if (seen.has(id) || inStorage((storage) => storage.getItem(KEY_PREFIX + id)) === '') return false;
  const { held = [] } = await siteLocks().query();
  return !held.some(({ name }) => name?.startsWith(ENGINE_ABANDONED_PREFIX));
}

/** Storage may be forbidden, or full. */
function inStorage<Result>(use: (storage: Storage) => Result): Result | undefined {
  try {
    return use(localStorage);
  } catch {
    return undefined;
  }
}
