import { buildWhenStale } from './build/build-when-stale.ts';
import { findBrowser } from './browser/find-browser.ts';
import { runTabserve } from './commands/run-tabserve.ts';
import { start } from './commands/start.ts';

/** `tabserve` in this repository: the chat page is the site, and it is built if it is missing or stale. */
await runTabserve({ endpointSite: async () => ({ folder: await buildWhenStale(), page: '' }), findBrowser }, { start });
