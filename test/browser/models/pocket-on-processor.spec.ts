import { expect, test, type Page } from '@playwright/test';
import type { Site } from '../../../src/command-line/http-server/serve-built-site.ts';
import { WITHOUT_GPU } from '../../support/browsers/without-gpu.ts';
import { pageStatus, reachState } from '../../support/pages/site-page.ts';
import { startTestSite } from '../../support/sites/test-site.ts';
import { inPage } from '../../support/pages/in-page.ts';
import type * as promptApi from '../in-page/prompt-api-without-tokens.ts';

test.use(WITHOUT_GPU);
// Each test continues where the previous one ended, because loading the model takes seconds.
test.describe.configure({ mode: 'serial' });

let site: Site;
let page: Page;

test.beforeAll(async ({ browser }) => {
  site = await startTestSite();
  page = await browser.newPage();
});

test.afterAll(async () => {
  await page?.close();
  await site?.close();
});

function ask(messages: readonly object[], fields: object = {}) {
  return page.evaluate(
    async (body) => {
      const response = await fetch('/v1/chat/completions', {
        method: 'POST',
        headers: { authorization: 'Bearer local', 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      const { choices, error } = (await response.json()) as {
        choices?: { message: { content: string; tool_calls?: { function: object }[] } }[];
        error?: { message: string };
      };
      return {
        engine: response.headers.get('x-tabserve-engine'),
        content: choices?.[0]?.message.content ?? error?.message,
        call: choices?.[0]?.message.tool_calls?.[0]?.function,
      };
    },
    { model: 'pocket', temperature: 0, max_tokens: 60, messages, ...fields },
  );
}

test('without WebGPU the page loads Pocket on the CPU and says so @core @firefox', async () => {
  test.setTimeout(300_000);
  await page.goto(site.url);
  await reachState(page, 'ready');
  expect(await pageStatus(page)).toMatchObject({
    model: 'pocket',
    engine: expect.stringMatching(/^llama\.cpp; cpu; threads=\d/),
    message: 'pocket is ready. It runs on the CPU.',
  });
  await expect(page.getByText('is running on the CPU')).toBeVisible();
});

test('Pocket answers on the CPU @core @firefox', async () => {
  test.setTimeout(300_000);
  const answer = await ask([{ role: 'user', content: 'What is the capital of France?' }]);
  expect(answer).toEqual({
    engine: expect.stringMatching(/^local; llama\.cpp; cpu; threads=\d/),
    content: 'The capital of France is Paris.',
    call: undefined,
  });
});

test('the Prompt API works with a model on the CPU, whose tokens cannot be counted @core @firefox', async () => {
  test.setTimeout(300_000);
  expect(await inPage<typeof promptApi>(page, 'prompt-api-without-tokens').converse()).toEqual({
    answer: 'The capital of France is Paris.',
    continued: ' of France is Paris.',
    usage: expect.any(Number),
    copied: { pieces: expect.any(Number), constrained: expect.stringMatching(/^(yes|no)$/), grew: true },
    overflows: 1,
    isMeasured: true,
    isInWindow: true,
    tooLong: 'QuotaExceededError',
  });
});

test("Pocket's attention windows work on the CPU: it recalls a name after 400 tokens @core", async () => {
  test.setTimeout(300_000);
  const story =
    'Ben wanted to see the sea. The road was long, but every evening the wind smelled a little more of salt. ';
  const { content } = await ask([
    { role: 'user', content: 'My name is Ada.' },
    { role: 'assistant', content: 'Nice to meet you, Ada!' },
    ...[1, 2, 3].flatMap(() => [
      { role: 'user', content: 'Tell me a story about Ben.' },
      { role: 'assistant', content: story + story },
    ]),
    { role: 'user', content: 'What is my name?' },
  ]);
  expect(content).toBe('Your name is Ada.');
});

const CITY = {
  name: 'get_weather',
  description: 'Tells the weather of a city.',
  parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
};
const CLOCK = {
  name: 'clock',
  parameters: { type: 'object', properties: { zone: { enum: ['CET'] } }, required: ['zone'] },
};
const tools = [CITY, CLOCK].map((called) => ({ type: 'function', function: called }));

test('a model on the CPU calls the suitable tool, or the required one @core', async () => {
  test.setTimeout(300_000);
  const weather = [{ role: 'user', content: 'What is the weather in Paris?' }];
  const { call } = await ask(weather, { tools });
  expect(call).toMatchObject({ name: 'get_weather', arguments: expect.stringMatching(/^\{\s*"city": ?"Paris"\s*\}$/) });
  const forced = await ask(weather, { tools, tool_choice: { type: 'function', function: { name: 'clock' } } });
  expect(forced.call).toMatchObject({ name: 'clock', arguments: expect.stringMatching(/^\{\s*"zone": ?"CET"\s*\}$/) });
});

test('after a reload without network Pocket gives the same answer @core', async () => {
  test.setTimeout(300_000);
  await page.context().setOffline(true);
  await page.reload();
  await reachState(page, 'ready');
  const { content } = await ask([{ role: 'user', content: 'What is the capital of France?' }]);
  expect(content).toBe('The capital of France is Paris.');
});
