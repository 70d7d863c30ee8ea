import { siteFaultStrings } from '../strings/site-fault-strings.ts';
import type { AskVersion } from './ask-version.ts';

/**
 * Finds a service worker of the site that lost pages to Tabserve's: its scope is wider, and browsers give a page to the
 * worker with the narrowest scope.
 * @param scope The scope of Tabserve's service worker.
 * @returns a sentence for the site's developer; null if there is none.
 */
export async function findWiderWorker(scope: string, ask: AskVersion): Promise<string | null> {
  const registrations = await navigator.serviceWorker.getRegistrations().catch(() => []);
  const wider = registrations.filter((other) => other.scope !== scope && scope.startsWith(other.scope));
  for (const { active, scope: widerScope } of wider) {
    if (active === null) continue;
    const { isForeign } = await import('./refuse-foreign-worker.ts');
    if (await isForeign(active, ask)) return siteFaultStrings.widerWorker(active.scriptURL, widerScope, scope);
  }
  return null;
}
