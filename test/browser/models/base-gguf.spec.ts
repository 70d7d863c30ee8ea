import { expect, test, type Page } from '@playwright/test';
import { localModels } from '../../../src/command-line/local-models.ts';
import type { Site } from '../../../src/command-line/http-server/serve-built-site.ts';
import { WITHOUT_GPU } from '../../support/browsers/without-gpu.ts';
import { openControlled, reachState } from '../../support/pages/site-page.ts';
import { serveDist } from '../../support/sites/test-site.ts';

/**
 * Gemma 3 270M, which `npm run model -- gemma3-270m` fetches: pre-trained, without a chat template, with 262,144 tokens and
 * sliding attention.
 */
const gguf = localModels().filter(({ id }) => id === 'gemma3-270m');

test.use(WITHOUT_GPU);
test.skip(gguf.length === 0, 'Gemma 3 270M is not here: `npm run model -- gemma3-270m` fetches it.');
// Each test uses the model that the first one loads.
test.describe.configure({ mode: 'serial', timeout: 300_000 });

/**
 * Greedy answers of native llama.cpp (node-llama-cpp 3.22.1), as far as the most probable token leads by at least half a
 * logit, with their numbers of tokens.
 */
const NATIVE = [
  ['Water boils at a temperature of', ' 100 degrees Celsius.', 7],
  ['The quick brown fox', ' jumps over the lazy dog.\n\nThe', 8],
  ['1, 2, 3, 4, 5,', ' 6, 7, 8, 9', 11],
  ['It was the best of times, it was', ' the worst of times', 4],
] as const;

/** The last of the ordinary tokens. */
const LAST_WORD = { id: 255_967, text: '𝔹' } as const;

let site: Site;
let page: Page;

test.beforeAll(async ({ browser }) => {
  site = await serveDist({ gguf });
  page = await browser.newPage();
  await openControlled(page, site.url);
});

test.afterAll(async () => {
  await page?.close();
  await site?.close();
});

interface Reply {
  readonly status: number;
  readonly engine: string | null;
  readonly body: {
    readonly choices: readonly {
      readonly text?: string;
      readonly message?: { readonly content: string };
      readonly finish_reason: string;
      readonly logprobs?: { readonly top_logprobs: readonly Readonly<Record<string, number>>[] };
    }[];
    readonly usage: {
      readonly prompt_tokens: number;
      readonly completion_tokens: number;
      readonly prompt_tokens_details: { readonly cached_tokens: number };
    };
  };
}

/** @param abortAfter Milliseconds. Default: never. */
function post(path: string, fields: object, abortAfter?: number): Promise<Reply> {
  const body = { model: 'gemma3-270m', temperature: 0, max_tokens: 8, ...fields };
  return page.evaluate(
    async ({ path, body, abortAfter }) => {
      const response = await fetch(path, {
        method: 'POST',
        headers: { authorization: 'Bearer local', 'content-type': 'application/json' },
        body: JSON.stringify(body),
        ...(abortAfter === undefined ? {} : { signal: AbortSignal.timeout(abortAfter) }),
      }).catch(() => new Response('{}', { status: 499 }));
      const engine = response.headers.get('x-tabserve-engine');
      return { status: response.status, engine, body: await response.json().catch(() => ({})) };
    },
    { path, body, abortAfter },
  );
}

const complete = (prompt: string, fields: object = {}, abortAfter?: number) =>
  post('/v1/completions', { prompt, ...fields }, abortAfter);
const textOf = ({ body }: Reply) => body.choices[0]!.text;

test('a model without a chat template says so in the list and in the header, and a chat does not contain the next turn', async () => {
  await reachState(page, 'ready');
  const { tabserve } = await page.evaluate(
    async () =>
      (await (await fetch('/v1/models/gemma3-270m', { headers: { authorization: 'Bearer local' } })).json()) as {
        tabserve: object;
      },
  );
  expect(tabserve).toMatchObject({ chat_template: false, description: expect.stringMatching(/^Continues text/) });
  const messages = [{ role: 'user', content: 'What is the capital of France?' }];
  const { engine, body } = await post('/v1/chat/completions', { messages, max_tokens: 40 });
  expect(engine).toMatch(/; no chat template$/);
  expect(body.choices[0]!.message!.content).not.toMatch(/<\|?im_/);
});

test('greedy completions are those of native llama.cpp', async () => {
  for (const [prompt, text, max_tokens] of NATIVE) expect(textOf(await complete(prompt, { max_tokens }))).toBe(text);
});

test('schemas, biases and log-probabilities work with 262,144 tokens', async () => {
  const schema = { type: 'object', properties: { city: { enum: ['Rome', 'Paris'] } }, required: ['city'] };
  const response_format = { type: 'json_schema', json_schema: { name: 'city', schema } };
  const bound = await complete('The capital of France as JSON: ', { response_format, max_tokens: 30 });
  expect(JSON.parse(textOf(bound)!)).toEqual({ city: expect.stringMatching(/^(Rome|Paris)$/) });

  const free = await complete('The capital of France is', { max_tokens: 1, logprobs: 5 });
  const [alternatives] = free.body.choices[0]!.logprobs!.top_logprobs;
  expect(Object.keys(alternatives!)).toContain(textOf(free));
  expect(Object.values(alternatives!).reduce((sum, logprob) => sum + Math.exp(logprob), 0)).toBeLessThan(1);

  const forced = await complete('The capital of France is', { max_tokens: 2, logit_bias: { [LAST_WORD.id]: 100 } });
  expect(textOf(forced)).toBe(LAST_WORD.text + LAST_WORD.text);
});

test('a number at the beginning of a long prompt is found again, after an abort and from the cache', async () => {
  const filler = Array.from({ length: 20 }, (_, index) => `Line ${index}: the sea is blue and the sky is wide.`);
  const prompt = ['The secret number is 48213.', ...filler, 'The secret number is'].join('\n');
  // Aborted during the prefill, of which nothing has arrived.
  expect((await complete(prompt, {}, 3000)).body).toEqual({});
  const first = await complete(prompt);
  expect(textOf(first)).toMatch(/^ 48213/);
  const second = await complete(prompt);
  expect(textOf(second)).toBe(textOf(first));
  const { prompt_tokens: tokens, prompt_tokens_details: details } = second.body.usage;
  expect(tokens - details.cached_tokens).toBeLessThan(tokens / 10);
});
