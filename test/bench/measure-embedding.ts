// Measures the built-in embedding model with WebLLM's plain engine: `npm run bench:embedding`.

import { readdirSync, readFileSync } from 'node:fs';
import { chromium, type JSHandle } from 'playwright';
import { findBrowser } from '../../src/command-line/browser/find-browser.ts';
import { parseCount, parseOptions } from '../../src/command-line/parse-options.ts';
import { runCommand } from '../../src/command-line/run-command.ts';
import { SOFTWARE_GPU_FLAGS } from '../../src/command-line/browser/software-gpu-flags.ts';
import { serveModels } from '../pocket/support/model-server.ts';
import type * as PageMeasurements from '../pocket/support/page-measurements.ts';
import type { KernelTime } from '../pocket/support/page-measurements.ts';
import { readPublishedPackage } from '../pocket/support/published-package.ts';
import { summarise } from '../../src/bench/statistics.ts';

const USAGE = `Measures the built-in embedding model with WebLLM's plain engine, without the endpoint, on the texts of docs/.

  npm run bench:embedding -- [options]

  --rounds NUMBER  batches to time (default 9)
  --texts NUMBER   texts in a batch (default 128)`;

const DOCS = new URL('../../docs/', import.meta.url);
const TOKENS = 50;

await runCommand(async () => {
  const { values } = parseOptions(USAGE, {
    rounds: { type: 'string', default: '9' },
    texts: { type: 'string', default: '128' },
  });
  const rounds = parseCount('--rounds', values.rounds);
  const count = parseCount('--texts', values.texts);
  const server = await serveModels(new Map([['pocket-embed', await readPublishedPackage('pocket-embed')]]));
  const browser = await chromium.launch({ executablePath: findBrowser().path, args: SOFTWARE_GPU_FLAGS });
  const openPage = async () => {
    const page = await browser.newPage();
    await page.goto(server.origin);
    const handle: JSHandle<typeof PageMeasurements> = await page.evaluateHandle(
      'import("/support/page-measurements.ts")',
    );
    return { page, handle, loading: await handle.evaluate((measure) => measure.timeLoading('pocket-embed', 1)) };
  };
  const documents = readdirSync(DOCS).filter((name) => name.endsWith('.md'));
  const corpus = documents.map((name) => readFileSync(new URL(name, DOCS), 'utf8')).join('\n');
  const first = [];
  const later = [];
  const loadings = [];
  let kernels: readonly KernelTime[] = [];
  // A new page per round, as the library caches projections per token.
  for (let round = 0; round < rounds; round++) {
    const { page, handle, loading } = await openPage();
    loadings.push(loading);
    const texts = await handle.evaluate((measure, [text, length]) => measure.cutText(text, length), [
      corpus,
      TOKENS,
    ] as const);
    const time = (texts: number[][]) => handle.evaluate((measure, texts) => measure.timeEmbedding(texts), texts);
    const batch = (number: number) =>
      Array.from({ length: count }, (_, index) => texts[(number * count + index) % texts.length]!);
    first.push((count / (await time(batch(round)))) * 1000);
    for (let number = 1; number <= 3; number++) later.push((count / (await time(batch(round + number)))) * 1000);
    if (round === 0)
      kernels = await handle.evaluate((measure, texts) => measure.timeEncoderKernels(texts), batch(0).slice(0, 32));
    await page.close();
  }
  await browser.close();
  server.close();
  console.table({
    [`texts of ${TOKENS} tokens a second, the first ${count}`]: summarise(first),
    [`texts of ${TOKENS} tokens a second, the three times ${count} after those`]: summarise(later),
    'loading, ms': summarise(loadings),
  });
  console.table(kernels.map((kernel) => ({ ...kernel, microseconds: Math.round(kernel.microseconds) })));
});
