import { sleep } from '../../shared/timeout.ts';
import type { PostToPage } from './run-in-page.ts';

/** The pages that are connected to an engine. */
export interface ConnectedPages {
  /** The pages in the order in which they are asked to run something. */
  readonly pages: readonly PostToPage[];
  /** When the last page left, by `performance.now()`; when the engine started if none has. */
  readonly lastPageLeft: number;
}

/** Milliseconds in which a page that is loaded again connects to the engine, also on a busy device. */
const RELOAD_TIME = 10_000;

/** Milliseconds between two looks. */
const INTERVAL = 100;

/**
 * Returns the connected pages. If the last one has just left, waits some seconds for the next: an engine in a SharedWorker
 * outlives the only page when it is reloaded, and the service worker may send it a request before the page is back.
 */
export async function waitForPages(connected: ConnectedPages): Promise<readonly PostToPage[]> {
  while (connected.pages.length === 0 && performance.now() < connected.lastPageLeft + RELOAD_TIME)
    await sleep(INTERVAL);
  return connected.pages;
}
