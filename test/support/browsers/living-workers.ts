import type { Page } from '@playwright/test';
import { ANSWER_LOCK, ENGINE_LOCK_PREFIX } from '../../../src/shared/locks/site-locks.ts';

/** One name for each engine of the page's origin that is alive, in any kind of worker. */
export function livingEngines(page: Page): Promise<string[]> {
  return heldLocks(page, ENGINE_LOCK_PREFIX);
}

/** One name for each life of a service worker that has not ended. A worker that starts again has another. */
export function livingServiceWorkers(page: Page): Promise<string[]> {
  return heldLocks(page, 'tabserve-service-worker-');
}

/** How many answers the service worker is giving. One that was cancelled is none. */
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
