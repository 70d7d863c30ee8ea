#!/usr/bin/env node
import { findBrowser } from './browser/find-browser.ts';
import { LIBRARY_FOLDER } from './project-folders.ts';
import { runTabserve } from './commands/run-tabserve.ts';

/** The package's command. It does not install a browser; the user must. */
await runTabserve({
  endpointSite: async () => ({ folder: LIBRARY_FOLDER, page: 'command-line/' }),
  findBrowser,
});
