import { sleep } from '../../shared/timeout.ts';
import type { PostToPage } from './run-in-page.ts';

/** Milliseconds in which a page that is loaded again connects to the engine, also on a busy device. */
const RELOAD_TIME = 10_000;

/** Milliseconds between two looks. */
const INTERVAL = 100;

/**
 * Returns the connected pages. If there are none, waits for some seconds: an engine in a SharedWorker outlives the only
 * page when it is reloaded, and the service worker may send it a request before the page is back.
 */
export async function waitForPages(pages: () => readonly PostToPage[]): Promise<readonly PostToPage[]> {
  for (let waited = 0; waited < RELOAD_TIME && pages().length === 0; waited += INTERVAL) await sleep(INTERVAL);
  return pages();
}
