// Measures the built-in embedding model with WebLLM's plain engine: `npm run bench:embedding`.

import { chromium, type JSHandle } from '@playwright/test';
import { findBrowser } from '../../src/command-line/find-browser.ts';
import { parseCount, parseOptions } from '../../src/command-line/parse-options.ts';
import { runCommand } from '../../src/command-line/run-command.ts';
import { SOFTWARE_GPU_FLAGS } from '../../src/command-line/software-gpu-flags.ts';
import { serveModels } from '../pocket/support/model-server.ts';
import type * as PageMeasurements from '../pocket/support/page-measurements.ts';
import { readPublishedPackage } from '../pocket/support/published-package.ts';
import { summarise } from './statistics.ts';

const USAGE = `Measures the built-in embedding model with WebLLM's plain engine, without the endpoint.

  npm run bench:embedding -- [options]

  --rounds NUMBER  batches to time (default 9)
  --texts NUMBER   texts in a batch (default 128)`;

const WORDS =
  'The service worker answers the requests of a page and the engine worker keeps the model on the graphics card ';
const TOKENS = 50;

await runCommand(async () => {
  const { values } = parseOptions(USAGE, {
    rounds: { type: 'string', default: '9' },
    texts: { type: 'string', default: '128' },
  });
  const rounds = parseCount('--rounds', values.rounds);
  const texts = parseCount('--texts', values.texts);
  const server = await serveModels(new Map([['pocket-embed', await readPublishedPackage('pocket-embed')]]));
  const browser = await chromium.launch({ executablePath: findBrowser().path, args: SOFTWARE_GPU_FLAGS });
  const page = await browser.newPage();
  await page.goto(server.origin);
  const handle: JSHandle<typeof PageMeasurements> = await page.evaluateHandle(
    'import("/support/page-measurements.ts")',
  );
  const loading = await handle.evaluate((measure) => measure.timeLoading('pocket-embed', 1));
  const tokens = Array.from({ length: TOKENS }, (_, index) => 300 + index * 7);
  const time = (text: string | number[]) =>
    handle.evaluate((measure, [text, texts]) => measure.timeEmbedding(text, texts), [text, texts] as const);
  await time(tokens);
  const ofTokens = [];
  const ofText = [];
  for (let round = 0; round < rounds; round++) {
    ofTokens.push((texts / (await time(tokens))) * 1000);
    ofText.push((texts / (await time(WORDS.repeat(2)))) * 1000);
  }
  const kernels = await handle.evaluate((measure, tokens) => measure.timeEncoderKernels(tokens, 32), tokens);
  await browser.close();
  server.close();
  console.table({
    [`texts of ${TOKENS} tokens a second`]: summarise(ofTokens),
    [`texts of ${WORDS.length * 2} characters a second`]: summarise(ofText),
    'loading, first time, ms': summarise([loading]),
  });
  console.table(kernels.map((kernel) => ({ ...kernel, microseconds: Math.round(kernel.microseconds) })));
});
