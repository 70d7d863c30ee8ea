import { expect, type Page } from '@playwright/test';
import type OpenAI from 'openai';
import { test } from '../../support/pages/shared-site.ts';

type Fields = Omit<OpenAI.ChatCompletionCreateParams, 'model' | 'messages'>;

/** Returns the built-in model's answer to one question. */
async function send(page: Page, fields: Fields): Promise<string> {
  const messages = [{ role: 'user', content: 'Tell me a story.' }];
  const body = JSON.stringify({ model: 'pocket', messages, max_tokens: 16, ...fields });
  const { status, text } = await page.evaluate(async (body) => {
    const headers = { authorization: 'Bearer local', 'content-type': 'application/json' };
    const response = await fetch('/v1/chat/completions', { method: 'POST', headers, body });
    return { status: response.status, text: await response.text() };
  }, body);
  expect(status, text).toBe(200);
  return text;
}

const ask = async (page: Page, fields: Fields): Promise<OpenAI.ChatCompletion> => JSON.parse(await send(page, fields));

async function stream(page: Page, fields: Fields): Promise<OpenAI.ChatCompletionChunk[]> {
  const events = (await send(page, { ...fields, stream: true }))
    .split('\n\n')
    .filter((event) => event.startsWith('data: '));
  expect(events.pop()).toBe('data: [DONE]');
  return events.map((event) => JSON.parse(event.slice('data: '.length)));
}

const contents = ({ choices }: OpenAI.ChatCompletion): (string | null)[] =>
  choices.map(({ message }) => message.content);

/**
 * Returns the id of a token of printable ASCII characters. The byte-level vocabulary spells them unchanged, except the
 * space.
 */
async function tokenId(page: Page, token: string): Promise<number> {
  const tokenizer = await page.evaluate(async () => (await fetch('/models/pocket/tokenizer.json')).json());
  const id = tokenizer.model.vocab[token.replaceAll(' ', 'Ġ')];
  expect(id, `the id of ${JSON.stringify(token)}`).toEqual(expect.any(Number));
  return id;
}

test('two choices differ, repeat with their seed, are the same when streamed, and count their prompt once @core', async ({
  site,
}) => {
  // The highest temperature, because at a lower one the built-in model nearly always samples the same words.
  const drawn = { temperature: 2, top_p: 1, seed: -7 };
  const alone = await ask(site, drawn);
  const both = await ask(site, { ...drawn, n: 2 });
  const [first, second] = contents(both);
  expect(both.choices.map(({ index }) => index)).toEqual([0, 1]);
  expect(first).not.toBe(second);
  // The first choice has the request's seed, so it equals the only choice of a request without `n`.
  expect(contents(alone)).toEqual([first]);
  expect(both.usage!.prompt_tokens).toBe(alone.usage!.prompt_tokens);
  expect(both.usage!.completion_tokens).toBeGreaterThan(alone.usage!.completion_tokens);
  expect(both.usage!.completion_tokens).toBeLessThanOrEqual(2 * 16);

  const chunks = await stream(site, { ...drawn, n: 2, stream_options: { include_usage: true } });
  const joined = ['', ''];
  for (const { index, delta } of chunks.flatMap(({ choices }) => choices)) joined[index] += delta.content ?? '';
  expect(joined).toEqual([first, second]);
  expect(chunks.at(-1)).toMatchObject({ choices: [], usage: both.usage });

  expect(contents(await ask(site, { ...drawn, seed: 8 }))).not.toEqual([first]);
  const beginnings = contents(await ask(site, { temperature: 2, top_p: 1, seed: 1, n: 8, max_tokens: 1 }));
  expect(new Set(beginnings).size, 'ways to begin').toBeGreaterThan(3);
  expect(contents(await ask(site, { ...drawn, n: 2 })), 'whatever was asked in between').toEqual([first, second]);
});

test('logprobs cover the tokens of the content, the likeliest first, and a bias bans or forces a token @core', async ({
  site,
}) => {
  const greedy = { temperature: 0, logprobs: true };
  const { choices } = await ask(site, { ...greedy, top_logprobs: 3 });
  const tokens = choices[0]!.logprobs!.content!;
  expect(tokens.map(({ token }) => token).join('')).toBe(choices[0]!.message.content);
  for (const { token, logprob, bytes, top_logprobs } of tokens) {
    expect(logprob).toBeLessThanOrEqual(0);
    expect(logprob).toBeGreaterThan(-9999);
    expect(Buffer.from(bytes!).toString()).toBe(token);
    expect(top_logprobs).toHaveLength(3);
    expect(top_logprobs[0]).toMatchObject({ token, logprob });
    const values = top_logprobs.map((one) => one.logprob);
    expect(values).toEqual(values.toSorted((one, other) => other - one));
  }

  const chunks = await stream(site, greedy);
  const streamed = chunks.flatMap(({ choices }) => choices.flatMap(({ logprobs }) => logprobs?.content ?? []));
  expect(streamed).toEqual(tokens.map((one) => ({ ...one, top_logprobs: [] })));

  const { token: first, top_logprobs } = tokens[0]!;
  const without = await ask(site, { ...greedy, max_tokens: 1, logit_bias: { [await tokenId(site, first)]: -100 } });
  expect(contents(without)).toEqual([top_logprobs[1]!.token]);
  const forced = await ask(site, { temperature: 1, max_tokens: 3, logit_bias: { [await tokenId(site, 'x')]: 100 } });
  expect(contents(forced)).toEqual(['xxx']);
  expect(forced).toMatchObject({
    choices: [{ finish_reason: 'length', logprobs: null }],
    usage: { completion_tokens: 3 },
  });
});
