import { buildWhenStale } from './build/build-when-stale.ts';
import { findOrInstallBrowser } from './browser/install-browser.ts';
import { runTabserve } from './commands/run-tabserve.ts';

/** The same command in the repository, where the chat page is the site, and what is missing is built and installed. */
await runTabserve({
  endpointSite: async () => ({ folder: await buildWhenStale(), page: '' }),
  findBrowser: findOrInstallBrowser,
});
