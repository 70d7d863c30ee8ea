import { buildWhenStale } from './build/build-when-stale.ts';
import { findBrowser } from './browser/find-browser.ts';
import { runTabserve } from './commands/run-tabserve.ts';

/** The same command in the repository, where the chat page is the site, and what is missing is built. */
await runTabserve({
  endpointSite: async () => ({ folder: await buildWhenStale(), page: '' }),
  findBrowser,
});
