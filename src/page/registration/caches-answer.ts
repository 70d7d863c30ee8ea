import { withTimeout } from '../../shared/timeout.ts';

/** Milliseconds in which a browser that works names its caches, busy as it may be. */
const PATIENCE = 15_000;

/**
 * Whether the browser's caches of files answer at all. Chromium's may have stopped when the site's data were cleared while files
 * were being kept: then no service worker is installed, and nothing says why, until the browser is restarted.
 */
export function cachesAnswer(): Promise<boolean> {
  return withTimeout(PATIENCE, askCaches(), false);
}

async function askCaches(): Promise<true> {
  // That they may not be used is an answer, too.
  await Promise.resolve()
    .then(() => caches.keys())
    .catch(() => {});
  return true;
}
