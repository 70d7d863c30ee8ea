import { expect, type Page } from '@playwright/test';
import type OpenAI from 'openai';
import { test } from '../../support/pages/shared-site.ts';

/** Returns the response of a route to a JSON body. */
async function post(page: Page, path: string, body: object): Promise<string> {
  const { status, text } = await page.evaluate(
    async ({ path, body }) => {
      const headers = { authorization: 'Bearer local', 'content-type': 'application/json' };
      const response = await fetch(`/v1${path}`, { method: 'POST', headers, body });
      return { status: response.status, text: await response.text() };
    },
    { path, body: JSON.stringify({ model: 'pocket', ...body }) },
  );
  expect(status, text).toBe(200);
  return text;
}

const QUESTION = { messages: [{ role: 'user', content: 'Tell me a story about a dog.' }] };
const GREEDY = { temperature: 0, max_tokens: 16 };
/** Token 0 of the built-in model ends an answer. */
const ENDLESS = { logit_bias: { 0: -100 } };

test('the built-in model continues texts and lists of tokens, and a prompt rendered from a conversation gets the same answer @core', async ({
  site,
}) => {
  const { tokens, count } = JSON.parse(await post(site, '/tokenize', QUESTION)) as { tokens: number[]; count: number };
  expect(tokens).toHaveLength(count);
  const { content: prompt } = JSON.parse(await post(site, '/detokenize', { tokens })) as { content: string };
  expect(prompt).toBe('<|user|>Tell me a story about a dog.<|end|><|assistant|>');

  const chat = JSON.parse(await post(site, '/chat/completions', { ...QUESTION, ...GREEDY })) as OpenAI.ChatCompletion;
  const said = chat.choices[0]!.message.content;
  expect(said).not.toBe('');
  const raw = JSON.parse(
    await post(site, '/completions', { prompt: [prompt, tokens], ...GREEDY }),
  ) as OpenAI.Completion;
  expect(raw.choices.map(({ text, index }) => [text, index])).toEqual([
    [said, 0],
    [said, 1],
  ]);
  expect(raw.usage).toMatchObject({
    prompt_tokens: 2 * count,
    completion_tokens: 2 * chat.usage!.completion_tokens,
  });

  const fields = { prompt: tokens, ...GREEDY, echo: true, stream: true };
  const events = (await post(site, '/completions', fields)).split('\n\n').filter((event) => event.startsWith('data: '));
  expect(events.pop()).toBe('data: [DONE]');
  const chunks = events.map((event) => JSON.parse(event.slice('data: '.length)) as OpenAI.Completion);
  expect(chunks.flatMap(({ choices }) => choices.map(({ text }) => text)).join('')).toBe(prompt + said);
});

test('a text completion supports legacy logprobs, best_of, and echo without new tokens', async ({ site }) => {
  const prompt = 'Once upon a time';
  const { choices } = JSON.parse(
    await post(site, '/completions', { prompt, ...GREEDY, ...ENDLESS, max_tokens: 4, logprobs: 3 }),
  ) as OpenAI.Completion;
  const { tokens, token_logprobs, top_logprobs, text_offset } = choices[0]!.logprobs!;
  expect(tokens!.join('')).toBe(choices[0]!.text);
  expect([token_logprobs, top_logprobs, text_offset].map((list) => list?.length)).toEqual([4, 4, 4]);
  for (const [index, alternatives] of top_logprobs!.entries()) {
    expect(alternatives[tokens![index]!]).toBe(token_logprobs![index]);
  }

  const drawn = { prompt, ...ENDLESS, temperature: 2, top_p: 1, seed: 5, max_tokens: 8 };
  const all = JSON.parse(await post(site, '/completions', { ...drawn, n: 3 })) as OpenAI.Completion;
  const best = JSON.parse(await post(site, '/completions', { ...drawn, best_of: 3 })) as OpenAI.Completion;
  expect(all.choices.map(({ text }) => text)).toContain(best.choices[0]!.text);

  const counted = JSON.parse(
    await post(site, '/completions', { prompt, max_tokens: 0, echo: true }),
  ) as OpenAI.Completion;
  expect(counted.choices[0]).toMatchObject({ text: prompt, finish_reason: 'length' });
  expect(counted.usage!.completion_tokens).toBe(0);
});

test('a text completion follows a constraint, which a part of the prompt may begin', async ({ site }) => {
  const ask = async (fields: object) => {
    const { choices } = JSON.parse(await post(site, '/completions', { ...GREEDY, ...fields })) as OpenAI.Completion;
    return choices[0]!.text;
  };
  const prompt = 'The dog said: ';
  expect(await ask({ prompt, guided_choice: ['Woof', 'Wow'] })).toMatch(/^(Woof|Wow)$/);
  expect(await ask({ prompt: `${prompt}Wo`, guided_choice: ['Woof', 'Wow'], constraint_prefix: 'Wo' })).toMatch(
    /^(of|w)$/,
  );
});

test('an answer without room for max_tokens fills the context window exactly', async ({ site }) => {
  const fields = { prompt: Array.from({ length: 2040 }, () => 300), max_tokens: 100, ...ENDLESS };
  const { usage, choices } = JSON.parse(await post(site, '/completions', fields)) as OpenAI.Completion;
  expect(choices[0]!.finish_reason).toBe('length');
  expect(usage).toMatchObject({ prompt_tokens: 2040, completion_tokens: 8, total_tokens: 2048 });
});
