import { once } from 'node:events';
import { runCommand } from '../../src/command-line/run-command.ts';
import { startTestSite } from './test-site.ts';

/** Playwright's `webServer`: prints its address, which the configuration waits for, and serves until it is stopped. */
await runCommand(async (signal) => {
  const site = await startTestSite();
  console.log(`Test site at ${site.url}`);
  if (!signal.aborted) await once(signal, 'abort');
  await site.close();
});
