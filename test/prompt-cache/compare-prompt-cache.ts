import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright';
import { buildWhenStale } from '../../scripts/build/build-when-stale.ts';
import { findBrowser } from '../../src/command-line/browser/find-browser.ts';
import { parseCount, parseOptions } from '../../src/command-line/parse-options.ts';
import { runCommand } from '../../src/command-line/run-command.ts';
import { serveBuiltSite } from '../../src/command-line/http-server/serve-built-site.ts';
import { SOFTWARE_GPU_FLAGS } from '../../src/command-line/browser/software-gpu-flags.ts';
import { inPage } from '../support/pages/in-page.ts';
import { buildTestSite } from '../support/sites/test-site.ts';
import type * as compareModule from './in-page/compare-answers.ts';

/** Number of conversations between two lines of the report. */
const BATCH = 20;

const USAGE = `Asks a model, by default the built-in one, what random conversations ask, with and without the prompt cache, and compares each greedy answer.

  npm run prompt-cache -- [options]

  --conversations NUMBER  how many (default 300)
  --seed NUMBER           the conversations to repeat (default 1)
  --short                 a few of them
  --model URL             another model's package, on a server that this page may reach
  --library URL           its library

The exit status is 1 when an answer differs, nothing was cached, or memory on the graphics device has grown. A library of
another model may be unfit for a prompt cache; the built-in one is not.`;

await runCommand(async (signal) => {
  const { values } = parseOptions(USAGE, {
    conversations: { type: 'string', default: '300' },
    seed: { type: 'string', default: '1' },
    short: { type: 'boolean', default: false },
    model: { type: 'string' },
    library: { type: 'string' },
  });
  const conversations = values.short ? 12 : parseCount('--conversations', values.conversations);
  const seed = parseCount('--seed', values.seed);
  const folder = await buildTestSite({
    dist: process.env['TABSERVE_TEST_DIST'] ?? (await buildWhenStale()),
    clients: fileURLToPath(new URL('in-page', import.meta.url)),
  });
  const addresses = [values.model, values.library].filter((address) => address !== undefined);
  const site = await serveBuiltSite({ folder, modelHosts: addresses.map((address) => new URL(address).origin) });
  const browser = await chromium.launch({ executablePath: findBrowser().path, args: SOFTWARE_GPU_FLAGS });
  try {
    const page = await browser.newPage();
    await page.goto(new URL('test-clients/blank.html', site.url).href);
    const engines = inPage<typeof compareModule>(page, 'compare-answers');
    const { model: modelUrl, library: libraryUrl } = values;
    const off = await engines.load(modelUrl && libraryUrl ? { id: 'another', modelUrl, libraryUrl } : {});
    if (off !== null) {
      console.log(`There is nothing to compare: every prompt is read whole, as ${off}.`);
      return modelUrl ? 0 : 1;
    }

    const total = { requests: 0, aborted: 0, compared: 0, ties: 0, differences: 0, promptTokens: 0, cachedTokens: 0 };
    for (let done = 0; done < conversations && !signal.aborted; done += BATCH) {
      const { differences, ...counts } = await engines.compare(seed + done, Math.min(BATCH, conversations - done));
      for (const key of ['requests', 'aborted', 'compared', 'ties', 'promptTokens', 'cachedTokens'] as const)
        total[key] += counts[key];
      total.differences += differences.length;
      for (const [cached, fresh] of differences) console.error(`Differs:\n  ${cached}\n  ${fresh}`);
      console.error(`${Math.min(done + BATCH, conversations)} conversations: ${JSON.stringify(total)}`);
    }
    const [before, after] = await engines.gpuMemoryAfter(seed, values.short ? 4 : BATCH, values.short ? 3 : 5);
    const grown = after.bytes !== before.bytes || after.buffers !== before.buffers;
    console.log(
      `${total.requests} requests of ${conversations} conversations, ${total.aborted} of them aborted; ` +
        `${total.compared} answers compared, ${total.differences} differ, ${total.ties} ties; ` +
        `${total.cachedTokens} of ${total.promptTokens} prompt tokens were cached; ` +
        `memory on the graphics device: ${before.bytes} bytes, then ${after.bytes}.`,
    );
    return total.differences > 0 || total.cachedTokens === 0 || grown ? 1 : 0;
  } finally {
    await browser.close();
    await site.close();
  }
});
