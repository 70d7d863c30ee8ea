import { cpus } from 'node:os';
import { chromium, type Page } from 'playwright';
import { buildWhenStale } from '../../scripts/build/build-when-stale.ts';
import { serveBuiltSite } from '../../src/command-line/http-server/serve-built-site.ts';
import { localModels } from '../../src/command-line/local-models.ts';
import { parseCount, parseOptions } from '../../src/command-line/parse-options.ts';
import { CommandFailure, runCommand } from '../../src/command-line/run-command.ts';
import { launchOptionsWithoutGpu } from '../support/browsers/without-gpu.ts';
import { openControlled } from '../support/pages/site-page.ts';
import { NUMBER, numberPrompt } from './number-prompt.ts';

const USAGE = `Asks a GGUF model, on the CPU in Chromium, for a number at the beginning of a long text: aborted within the prefill, whole, and
again, when the text is in the KV cache.

  npm run long-prompt -- --model ID [options]

  --model ID       a model that \`npm run model\` has fetched, such as gemma3-270m
  --tokens NUMBER  length of the text in tokens (default 20000)

One thread reads 20,000 tokens in about half an hour. The exit status is 1 when a number is missing, an abort is not obeyed,
or the second reading is not cached.`;

/** Milliseconds after which the first reading is aborted. */
const ABORT_AFTER = 20_000;

/** Lines of the text by which the tokens of a line are counted. */
const SAMPLE_LINES = 40;

/** The most tokens that a cached prompt may need again, as a share of it. */
const READ_AGAIN = 0.01;

interface Answer {
  readonly text: string;
  readonly seconds: number;
  readonly promptTokens: number;
  readonly cachedTokens: number;
}

await runCommand(async () => {
  const { values } = parseOptions(USAGE, { model: { type: 'string' }, tokens: { type: 'string', default: '20000' } });
  const model = localModels().find(({ id }) => id === values.model);
  if (model === undefined) throw new CommandFailure('--model names a model that `npm run model` has fetched.');
  const tokens = parseCount('--tokens', values.tokens);
  const site = await serveBuiltSite({
    folder: process.env['TABSERVE_TEST_DIST'] ?? (await buildWhenStale()),
    gguf: [model],
  });
  const browser = await chromium.launch(launchOptionsWithoutGpu('chromium'));
  try {
    const page = await browser.newPage();
    page.setDefaultTimeout(0);
    await openControlled(page, site.url);
    console.log(`${model.id}, ${cpus()[0]?.model}, ${new Date().toISOString()}`);
    const ask = async (name: string, lines: number, abortAfter: number | null = null) => {
      const answer = await complete(page, { model: model.id, prompt: numberPrompt(lines) }, abortAfter);
      const { text, seconds, promptTokens, cachedTokens } = answer;
      const read = `${promptTokens} tokens, ${cachedTokens} of them cached`;
      console.log(
        `${name} | ${seconds.toFixed(1)} s | ${promptTokens === 0 ? 'no answer' : read} | ${JSON.stringify(text)}`,
      );
      return answer;
    };
    const [empty, sample] = [await ask('no lines', 0), await ask(`${SAMPLE_LINES} lines`, SAMPLE_LINES)];
    const perLine = (sample.promptTokens - empty.promptTokens) / SAMPLE_LINES;
    const lines = Math.round((tokens - empty.promptTokens) / perLine);
    const aborted = await ask(`${lines} lines, aborted`, lines, ABORT_AFTER);
    const next = await ask('the next request', 0);
    const whole = await ask(`${lines} lines`, lines);
    const again = await ask('the same again', lines);
    const isFound = [empty, sample, next, whole, again].every(({ text }) => text.trim().startsWith(NUMBER));
    const isCached = again.promptTokens - again.cachedTokens < READ_AGAIN * again.promptTokens;
    return isFound && isCached && aborted.promptTokens === 0 ? 0 : 1;
  } finally {
    await browser.close();
    await site.close();
  }
});

function complete(page: Page, fields: object, abortAfter: number | null): Promise<Answer> {
  const body = JSON.stringify({
    ...fields,
    temperature: 0,
    max_tokens: 6,
    stream: true,
    stream_options: { include_usage: true },
  });
  return page.evaluate(
    async ({ body, abortAfter }) => {
      const start = performance.now();
      const answer = { text: '', promptTokens: 0, cachedTokens: 0 };
      try {
        const response = await fetch('/v1/completions', {
          method: 'POST',
          headers: { authorization: 'Bearer local', 'content-type': 'application/json' },
          body,
          ...(abortAfter !== null && { signal: AbortSignal.timeout(abortAfter) }),
        });
        for (const line of (await response.text()).split('\n')) {
          if (!line.startsWith('data: {')) continue;
          const { choices, usage, error } = JSON.parse(line.slice('data: '.length));
          answer.text += error === undefined ? (choices?.[0]?.text ?? '') : JSON.stringify(error);
          if (!usage) continue;
          answer.promptTokens = usage.prompt_tokens;
          answer.cachedTokens = usage.prompt_tokens_details.cached_tokens;
        }
      } catch (thrown) {
        answer.text = String(thrown);
      }
      return { ...answer, seconds: (performance.now() - start) / 1000 };
    },
    { body, abortAfter },
  );
}
