import type { Page } from '@playwright/test';
import { ANSWER_LOCK, ENGINE_LOCK_PREFIX } from '../../../src/shared/locks/site-locks.ts';

/** Returns a name for each live engine of the page's origin, in any kind of worker. */
export function livingEngines(page: Page): Promise<string[]> {
  return heldLocks(page, ENGINE_LOCK_PREFIX);
}

/** Returns a name for each running service worker. A restarted worker has another name. */
export function livingServiceWorkers(page: Page): Promise<string[]> {
  return heldLocks(page, 'tabserve-service-worker-');
}

/** Returns the number of responses that the service worker is sending, without cancelled ones. */
export async function answersInProgress(page: Page): Promise<number> {
  return (await heldLocks(page, ANSWER_LOCK, 'shared')).length;
}

function heldLocks(page: Page, prefix: string, kind: LockMode = 'exclusive'): Promise<string[]> {
  return page.evaluate(
    async ({ prefix, kind }) => {
      const { held = [] } = await navigator.locks.query();
      return held.flatMap(({ name = '', mode }) => (mode === kind && name.startsWith(prefix) ? [name] : []));
    },
    { prefix, kind },
  );
}
