import { expect, test } from 'vitest';
import type { CompletionRequest } from '../../../../src/shared/engine/completion-request.ts';
import { ask, loadedEngine } from '../support/test-engine.ts';

async function configOf(request: Partial<CompletionRequest>): Promise<Record<string, unknown>> {
  const { engine, runs } = await loadedEngine({ replies: [['ok']] });
  await ask(engine, request);
  return runs[0]?.config ?? {};
}

test.each<[string, Partial<CompletionRequest>, Record<string, unknown>]>([
  ['without settings the model entry decides', {}, { temperature: 0.7, top_p: 0.9, max_tokens: 4000 }],
  [
    'temperature 0 is greedy and does not change the probabilities',
    { temperature: 0 },
    { temperature: 1, top_p: 1e-5 },
  ],
  ['top_p 0 is greedy', { temperature: 0.3, topP: 0 }, { temperature: 0.3, top_p: 1e-5 }],
  ['both given', { temperature: 1.5, topP: 0.25 }, { temperature: 1.5, top_p: 0.25 }],
  ['a token limit', { maxTokens: 7 }, { max_tokens: 7 }],
  [
    'penalties',
    { presencePenalty: -2, frequencyPenalty: 2, repetitionPenalty: 1.2 },
    { presence_penalty: -2, frequency_penalty: 2, repetition_penalty: 1.2 },
  ],
  ['a bias', { logitBias: { '65': -100, '66': 3.5 } }, { logit_bias: { '65': -100, '66': 3.5 } }],
  ['stop sequences are never passed to WebLLM', { stop: ['x'] }, { stop: undefined }],
])('%s', async (_name, request, expected) => {
  expect(await configOf(request)).toMatchObject(expected);
});

test.each(['262', '-1', '1.5', 'x', '99999999999'])(
  'a bias for %s, which is not a token of the model, is refused',
  async (id) => {
    const { engine, runs } = await loadedEngine({ entry: { vocabularySize: 10 } });
    await expect(ask(engine, { logitBias: { [id]: 1 } })).rejects.toMatchObject({
      code: 'invalid_value',
      param: 'logit_bias',
    });
    expect(runs).toEqual([]);
  },
);

test('top_k is refused if the extension that applies it is off', async () => {
  const { engine, runs } = await loadedEngine({ replies: [['ok']], random: false });
  expect(engine.extensions).toContainEqual({ name: 'cpu-sampling', off: expect.any(String) });
  await expect(ask(engine, { topK: 2 })).rejects.toMatchObject({ code: 'unsupported_parameter', param: 'top_k' });
  expect(runs).toEqual([]);
});

test.each([0, 1, -1, 5, -2_147_483_648, 2_147_483_646, 2_147_483_647, Number.MAX_SAFE_INTEGER, 1e300])(
  'seed %s works, reproduces its start, and differs for each choice',
  async (seed) => {
    const { engine, runs } = await loadedEngine({ replies: [['ok']] });
    await ask(engine, { seed, choices: 3 });
    await ask(engine, 'something else');
    await ask(engine, { seed, choices: 3 });
    const seeds = runs.map((run) => run.seed);
    expect(seeds.slice(0, 3)).toEqual(seeds.slice(4));
    expect(new Set(seeds.slice(0, 3)).size).toBe(3);
    for (const value of seeds) expect(value).toSatisfy((value: number) => value > 0 && value < 2_147_483_647);
  },
);

test('adjacent seeds, and the choices of one seed, begin with well-distributed random numbers', async () => {
  const { engine, runs } = await loadedEngine({ replies: [['ok']] });
  for (let seed = -4; seed < 20; seed++) await ask(engine, { seed });
  await ask(engine, { seed: 1, choices: 8 });
  // The first number of WebLLM's generator for each seed, in tenths.
  const tenths = runs.map(({ seed }) => Math.floor((((seed! * 48_271) % 2_147_483_647) / 2_147_483_647) * 10));
  expect(new Set(tenths.slice(0, 24)).size).toBeGreaterThan(6);
  expect(new Set(tenths.slice(24)).size).toBeGreaterThan(4);
});

test('without a seed each request starts randomly, but a greedy one is deterministic', async () => {
  const { engine, runs } = await loadedEngine({ replies: [['ok']] });
  for (const temperature of [null, null, 0, 0]) await ask(engine, { temperature });
  const [one, two, three, four] = runs.map((run) => run.seed);
  expect(one).not.toBe(two);
  expect(three).toBe(four);
});

test('choices are generated in sequence, and the prompt is counted once', async () => {
  const { engine } = await loadedEngine({ replies: [['a', 'b'], ['c'], []] });
  const single = await ask(engine, 'Hello');
  const { engine: other } = await loadedEngine({ replies: [['a', 'b'], ['c'], []] });
  const { choices, usage } = await ask(other, { choices: 3 });
  expect(choices.map(({ content, reason }) => [content, reason])).toEqual([
    ['ab', 'stop'],
    ['c', 'stop'],
    ['', 'stop'],
  ]);
  expect(usage).toEqual({ ...single.usage, completionTokens: 3 + 2 + 1 });
});

test('the token limit ends the answer, whose usage is exact', async () => {
  const { engine } = await loadedEngine({ replies: [['a', 'b', 'c', 'd']] });
  const { choices, usage } = await ask(engine, { maxTokens: 2, choices: 2 });
  expect(choices.map(({ content, reason }) => [content, reason])).toEqual([
    ['ab', 'length'],
    ['ab', 'length'],
  ]);
  expect(usage.completionTokens).toBe(4);
});

test('a full context window ends the answer', async () => {
  const { engine } = await loadedEngine({
    replies: [Array.from({ length: 50 }, () => 'word ')],
    entry: { contextWindow: 20 },
  });
  const { choices, usage } = await ask(engine, 'Hi');
  expect(choices[0]?.reason).toBe('length');
  expect(usage.promptTokens + usage.completionTokens).toBe(20);
});
