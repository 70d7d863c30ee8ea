#!/usr/bin/env node
import { findBrowser } from './browser/find-browser.ts';
import { LIBRARY_FOLDER } from './project-folders.ts';
import { runTabserve } from './commands/run-tabserve.ts';

/**
 * The command of the package. It brings all that it needs but a browser, which is for the user to install: other people's
 * machines are not ours to change.
 */
await runTabserve({
  endpointSite: async () => ({ folder: LIBRARY_FOLDER, page: 'command-line/' }),
  findBrowser,
});
