// Measures the built-in model with WebLLM's plain engine: `npx tsx test/bench/measure-pocket.ts`.

import { chromium, type JSHandle } from 'playwright';
import { findBrowser } from '../../src/command-line/browser/find-browser.ts';
import { parseCount, parseOptions } from '../../src/command-line/parse-options.ts';
import { runCommand } from '../../src/command-line/run-command.ts';
import { SOFTWARE_GPU_FLAGS } from '../../src/command-line/browser/software-gpu-flags.ts';
import { serveModels } from '../pocket/support/model-server.ts';
import type * as PageMeasurements from '../pocket/support/page-measurements.ts';
import { readPublishedPackage } from '../pocket/support/published-package.ts';
import { summarise } from '../../src/bench/statistics.ts';

const USAGE = `Measures the built-in model with WebLLM's plain engine, without the endpoint.

  npx tsx test/bench/measure-pocket.ts [options]

  --rounds NUMBER  answers to time (default 9)`;

/** About 50 tokens with the conversation template. */
const PROMPT =
  'My name is Ada and I live in Oslo. I like the colour green and the number seven. ' +
  'Please tell me what a service worker is, and what it has to do with a cache.';
const TOKENS = 96;

await runCommand(async () => {
  const { values } = parseOptions(USAGE, { rounds: { type: 'string', default: '9' } });
  const rounds = parseCount('--rounds', values.rounds);
  const server = await serveModels(new Map([['pocket', await readPublishedPackage('pocket')]]));
  const browser = await chromium.launch({ executablePath: findBrowser().path, args: SOFTWARE_GPU_FLAGS });
  const context = await browser.newContext();

  const openPage = async () => {
    const page = await context.newPage();
    await page.goto(server.origin);
    const handle: JSHandle<typeof PageMeasurements> = await page.evaluateHandle(
      'import("/support/page-measurements.ts")',
    );
    const loading = await handle.evaluate((measure) => measure.timeLoading('pocket'));
    return { page, handle, loading };
  };

  const cold = await openPage();
  await cold.page.close();
  const { handle, loading } = await openPage();
  const answer = (temperature: number) =>
    handle.evaluate((measure, [prompt, tokens, temperature]) => measure.timeAnswer(prompt, tokens, temperature), [
      PROMPT,
      TOKENS,
      temperature,
    ] as const);
  const kernels = await handle.evaluate((measure, prompt) => measure.timeKernels(prompt), PROMPT);
  const scripting = await handle.evaluate((measure) => measure.timeScripting(50));
  await answer(0);
  const answers = [];
  for (let round = 0; round < rounds; round++) answers.push(await answer(round % 2 ? 0 : 0.3));
  await browser.close();
  server.close();

  const [{ promptTokens, dispatches, submits }] = answers as [(typeof answers)[number]];
  console.table({
    'decoding, tokens/s': describe(answers.map((one) => one.tokensPerSecond)),
    [`first token of ${promptTokens} in the prompt, ms`]: describe(answers.map((one) => one.firstToken)),
    'loading, first time, ms': describe([cold.loading]),
    'loading from the cache, ms': describe([loading]),
    'JavaScript and WebAssembly in a forward pass, ms': describe([scripting]),
    'dispatches per token': describe([dispatches]),
    'submits per token': describe([submits]),
  });
  console.table(kernels.map((kernel) => ({ ...kernel, microseconds: Math.round(kernel.microseconds) })));
});

function round(value: number): number {
  return Number(value.toFixed(1));
}

function describe(numbers: number[]) {
  const { median, lowerQuartile, upperQuartile } = summarise(numbers);
  return {
    median: round(median),
    'lower quartile': round(lowerQuartile),
    'upper quartile': round(upperQuartile),
  };
}
