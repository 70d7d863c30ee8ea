import { buildWhenStale } from './build/build-when-stale.ts';
import { findBrowser } from '../src/command-line/browser/find-browser.ts';
import { runTabserve } from '../src/command-line/commands/run-tabserve.ts';
import { model } from './commands/model.ts';
import { start } from './commands/start.ts';

/** `tabserve` in this repository. Serves the chat page, and builds it first if missing or stale. */
await runTabserve(
  { endpointSite: async () => ({ folder: await buildWhenStale(), page: '' }), findBrowser },
  { start, model },
);
