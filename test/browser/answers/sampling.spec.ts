import { inPage } from '../../support/pages/in-page.ts';
import { expect } from '@playwright/test';
import { test } from '../../support/pages/shared-site.ts';
import type * as direct from '../in-page/direct-webllm.ts';

const SCHEMA = JSON.stringify({
  type: 'object',
  properties: { name: { type: 'string' }, legs: { type: 'integer' }, friends: { type: 'array' } },
  required: ['name', 'legs', 'friends'],
});

/** Most use the highest temperature, because at a lower one the built-in model nearly always samples the same words. */
const REQUESTS: Readonly<Record<string, direct.DirectRequest>> = {
  greedy: { temperature: 1, top_p: 1e-5 },
  'warm and narrow': { temperature: 2, top_p: 0.9, seed: 11 },
  'warm and wide': { temperature: 2, top_p: 1, seed: 12 },
  'presence and frequency': { temperature: 2, top_p: 1, seed: 13, presence_penalty: 1.5, frequency_penalty: 1 },
  repetition: { temperature: 2, top_p: 1, seed: 14, repetition_penalty: 1.4 },
  bias: { temperature: 2, top_p: 1, seed: 15, logit_bias: { 0: -100, 300: 4, 301: 4 } },
  schema: { temperature: 2, top_p: 1, seed: 16, response_format: { type: 'json_object', schema: SCHEMA } },
  // WebLLM alone reports the probabilities at the temperature of the request.
  probabilities: { temperature: 1, top_p: 1, seed: 17, logprobs: true, top_logprobs: 5 },
};

const tokens = ({ token, likeliest }: direct.DirectAnswer['logprobs'][number]) => [token, ...likeliest];

test('CPU sampling and incremental detokenizing give the same answers as unmodified WebLLM', async ({ site }) => {
  const webLlm = inPage<typeof direct>(site, 'direct-webllm');
  await webLlm.load();
  const askAll = async () => {
    const answers: Record<string, direct.DirectAnswer> = {};
    for (const [name, request] of Object.entries(REQUESTS))
      answers[name] = await webLlm.answer('Tell me a story about a dog.', { ...request, max_tokens: 40 });
    return answers;
  };
  const plain = await askAll();
  expect(await webLlm.extend()).toEqual([null, null]);
  const extended = await askAll();
  for (const [name, { text, logprobs }] of Object.entries(plain)) {
    expect(extended[name]!.text, name).toBe(text);
    expect(extended[name]!.logprobs.map(tokens)).toEqual(logprobs.map(tokens));
    for (const [index, { logprob }] of logprobs.entries())
      expect(extended[name]!.logprobs[index]!.logprob).toBeCloseTo(logprob, 3);
  }
  expect(plain['probabilities']!.logprobs.length).toBeGreaterThan(10);
  // If all answers were equal, nothing would have been sampled at random.
  expect(new Set(Object.values(plain).map(({ text }) => text)).size).toBeGreaterThan(5);
});
