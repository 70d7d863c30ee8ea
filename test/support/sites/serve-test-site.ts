import { once } from 'node:events';
import { runCommand } from '../../../src/command-line/run-command.ts';
import { serveBuiltSite } from '../../../src/command-line/http-server/serve-built-site.ts';
import { buildTestSite } from './test-site.ts';

/** Playwright's `webServer`: prints its address, which the configuration waits for, and serves until it is stopped. */
await runCommand(async (signal) => {
  const folder = await buildTestSite();
  const site = await serveBuiltSite({ folder });
  console.log(`Test site at ${site.url} from ${folder}`);
  if (!signal.aborted) await once(signal, 'abort');
  await site.close();
});
