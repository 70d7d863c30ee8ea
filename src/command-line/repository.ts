import { buildWhenStale } from './build-when-stale.ts';
import { findOrInstallBrowser } from './install-browser.ts';
import { runTabserve } from './run-tabserve.ts';

/** The same command in the repository, where the chat page is the site, and what is missing is built and installed. */
await runTabserve({
  endpointSite: async () => ({ folder: await buildWhenStale(), page: '' }),
  findBrowser: findOrInstallBrowser,
});
