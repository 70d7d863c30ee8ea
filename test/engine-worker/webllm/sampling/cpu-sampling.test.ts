import { expect, test } from 'vitest';
import { CPU_SAMPLING } from '../../../../src/engine-worker/webllm/sampling/cpu-sampling.ts';
import { TokenDistribution } from '../../../../src/engine-worker/webllm/sampling/token-distribution.ts';
import type { EngineLogprob } from '../../../../src/engine-worker/webllm/pipeline/webllm-pipeline.ts';
import { EXTENDED_MODEL, applyExtension } from '../support/apply-extension.ts';
import { DeviceContext } from '../support/device-context.ts';

const ON_DEVICE = -1;
const GREEDY = { temperature: 1, top_p: 1e-5 };

/** A fake of WebLLM's pipeline with these logits on the GPU. Its own sampler returns {@link ON_DEVICE}. */
function pipelineWith(values: readonly number[], members: object = {}) {
  const context = new DeviceContext();
  const logits = context.logits(values);
  const pipeline = {
    sampleFromRawLogits: async (_logits: object, _config: object): Promise<number> => ON_DEVICE,
    forwardPrefill: async (..._request: unknown[]) => ({ logits }),
    forwardDecodeToken: async (_token: number) => logits,
    isGrammarConstrained: (format: unknown) => format !== undefined,
    tvm: { lib: { webGPUContext: context as never }, rng: { randomFloat: () => 0.5 } },
    tokenizer: { decode: (ids: Int32Array) => `token ${ids.join()}` },
    config: {},
    fullVocabSize: values.length,
    appearedTokensFreq: new Map<number, number>(),
    tokenLogprobArray: [] as EngineLogprob[],
    ...members,
  };
  const sample = (config: object) => pipeline.sampleFromRawLogits(logits, config);
  return { pipeline, context, logits, sample };
}

test.each<[string, object, object, number]>([
  ['nothing', {}, {}, 3],
  ['a bias', { logit_bias: { '1': 8, '3': -1 } }, {}, 1],
  ['a presence penalty', { presence_penalty: 2 }, { appearedTokensFreq: new Map([[3, 1]]) }, 2],
  ['a frequency penalty', { frequency_penalty: 1 }, { appearedTokensFreq: new Map([[3, 2]]) }, 2],
  ['a repetition penalty', { repetition_penalty: 2 }, { appearedTokensFreq: new Map([[3, 1]]) }, 2],
  [
    'a penalty of the model itself',
    {},
    { config: { repetition_penalty: 2 }, appearedTokensFreq: new Map([[3, 1]]) },
    2,
  ],
  [
    'a grammar',
    { response_format: {} },
    { grammarMatcher: { getNextTokenBitmask: async () => Int32Array.of(0b0011) } },
    0,
  ],
  [
    'a bias for a token that the grammar forbids',
    { response_format: {}, logit_bias: { '2': 100 } },
    { grammarMatcher: { getNextTokenBitmask: async () => Int32Array.of(0b0011) } },
    0,
  ],
])('%s determines the likeliest token', async (_name, config, members, expected) => {
  const { pipeline, sample } = pipelineWith([1, -2, 3, 4], members);
  await applyExtension(pipeline, CPU_SAMPLING);
  expect(await sample({ ...GREEDY, ...config })).toBe(expected);
});

test.each<[string, object, number, boolean | null]>([
  ['without a grammar', {}, 0, false],
  ['with a grammar', { response_format: {} }, 0, true],
  ['with a grammar and a small vocabulary', { response_format: {} }, 4, null],
  ['with a grammar and `logprobs`', { response_format: {}, logprobs: true, top_logprobs: 1 }, 0, null],
  ['with a grammar and a penalty', { response_format: {}, presence_penalty: 1 }, 0, null],
])('%s the GPU samples with a mask, without one or not at all', async (_name, config, smallVocabulary, masked) => {
  const { pipeline } = pipelineWith([1, -2, 3, 4]);
  const { gpuSampling } = await applyExtension(pipeline, CPU_SAMPLING, { smallVocabulary });
  await pipeline.forwardPrefill([], 0, '', config);
  expect(gpuSampling({ ...GREEDY, ...config })?.masked ?? null).toBe(masked);
});

test('the GPU computes while the grammar determines the allowed tokens', async () => {
  const { pipeline, context, sample } = pipelineWith([1, 2], {
    grammarMatcher: {
      async getNextTokenBitmask() {
        context.log.push('grammar');
        return Int32Array.of(1);
      },
    },
  });
  context.busy = new Promise((resolve) => setTimeout(resolve, 5)).then(() => context.log.push('computed'));
  await applyExtension(pipeline, CPU_SAMPLING);
  expect(await sample({ ...GREEDY, response_format: {} })).toBe(0);
  expect(context.log).toEqual(['submit', 'wait for the copy', 'grammar', 'computed']);
});

test('the readback of logits is submitted with the prefill or decode step, and awaited once', async () => {
  const { pipeline, context, sample } = pipelineWith([1, 2]);
  await applyExtension(pipeline, CPU_SAMPLING);
  const once = ['submit', 'wait for the copy'];
  await pipeline.forwardPrefill('', 'user', undefined, GREEDY);
  expect(context.log).toEqual(once);
  expect(await sample(GREEDY)).toBe(1);
  expect(context.log).toEqual(once);
  await pipeline.forwardDecodeToken(1);
  expect(context.log).toEqual([...once, ...once]);
  expect(await sample(GREEDY)).toBe(1);
  expect(context.log).toEqual([...once, ...once]);
});

test('logits that are sampled on the GPU are not read back', async () => {
  const { pipeline, context, sample } = pipelineWith([...Array(20_000).keys()]);
  await applyExtension(pipeline, CPU_SAMPLING);
  await pipeline.forwardPrefill('', 'user', undefined, GREEDY);
  await pipeline.forwardDecodeToken(1);
  expect(context.log).toEqual([]);
  const withLogprobs = { ...GREEDY, logprobs: true, top_logprobs: 1 };
  await pipeline.forwardPrefill('', 'user', undefined, withLogprobs);
  await sample(withLogprobs);
  await pipeline.forwardDecodeToken(1);
  expect(context.log.filter((entry) => entry === 'submit')).toHaveLength(2);
});

test("the requested number of alternatives is returned, the likeliest first, even beyond WebLLM's limit", async () => {
  const { pipeline, sample } = pipelineWith(Array.from({ length: 30 }, (_, token) => (token * 7) % 30));
  const { request: requestSampling } = await applyExtension(pipeline, CPU_SAMPLING);
  const likeliest = Array.from({ length: 30 }, (_, logit) => `token ${((29 - logit) * 13) % 30}`);
  for (const count of [1, 3, 5, 20, 2]) {
    requestSampling({ alternatives: count, topK: null, minP: null });
    await sample({ ...GREEDY, logprobs: true, top_logprobs: Math.min(count, 5) });
    const entry = pipeline.tokenLogprobArray.at(-1);
    expect(entry?.token).toBe(likeliest[0]);
    expect(entry?.top_logprobs.map(({ token }) => token)).toEqual(likeliest.slice(0, count));
  }
});

test.each([0.1, 1, 2])(
  'sampled at temperature %d, a token has the probability that the model gives it',
  async (temperature) => {
    const { pipeline, sample } = pipelineWith([1, 2, 3]);
    const { reportLogprob } = await applyExtension(pipeline, CPU_SAMPLING);
    const config = { temperature, top_p: 1, logprobs: true, top_logprobs: 2 };
    await sample(config);
    reportLogprob(2, Float32Array.of(1, 2, 3), config);
    const [here, onDevice] = pipeline.tokenLogprobArray;
    const total = Math.log(Math.exp(1) + Math.exp(2) + Math.exp(3));
    for (const { top_logprobs } of [here!, onDevice!]) {
      expect(top_logprobs.map(({ token }) => token)).toEqual(['token 2', 'token 1']);
      for (const [rank, { logprob }] of top_logprobs.entries()) expect(logprob).toBeCloseTo(3 - rank - total, 4);
    }
  },
);

test.each<[string, number, object, object, number]>([
  ['a large vocabulary', 20_000, {}, {}, ON_DEVICE],
  ['a large vocabulary with requested probabilities', 20_000, { logprobs: true, top_logprobs: 1 }, {}, 19_999],
  ['logits that a processor changes', 10, {}, { logitProcessor: {} }, ON_DEVICE],
])('%s: sampled on the CPU or the GPU', async (_name, size, config, members, expected) => {
  const { pipeline, sample } = pipelineWith([...Array(size).keys()], members);
  await applyExtension(pipeline, CPU_SAMPLING);
  expect(await sample({ ...GREEDY, ...config })).toBe(expected);
});

/** A correct sampler of a library. */
const RIGHT = (logits: Float32Array, topP: number, uniform: number) =>
  new TokenDistribution(logits.slice(), 1).sample(topP, uniform);
/**
 * A faulty sampler, as if a scan over 32 lanes did not wait for its sums: it returns only ranks that are multiples of
 * 16.
 */
const SPOILED = (logits: Float32Array, topP: number, uniform: number) => {
  const ranked = [...logits.keys()].toSorted((one, other) => logits[other]! - logits[one]!);
  const rank = ranked.indexOf(RIGHT(logits, topP, uniform));
  return ranked[rank - (rank % 16)]!;
};

test.each<[string, typeof RIGHT, object, boolean]>([
  ['a correct library with random sampling', RIGHT, { temperature: 1, top_p: 0.9 }, false],
  [
    'a correct library with probabilities',
    RIGHT,
    { temperature: 1, top_p: 0.9, logprobs: true, top_logprobs: 1 },
    true,
  ],
  ['an incorrect library with random sampling', SPOILED, { temperature: 1, top_p: 0.9 }, true],
  ['an incorrect library with greedy sampling', SPOILED, GREEDY, false],
  ['a library that fails the check', () => Number.NaN, { temperature: 1, top_p: 0.9 }, true],
])('%s: sampled on the CPU or the GPU', async (_name, sampler, config, isHere) => {
  const random = seededRandom();
  let onDevice: Float32Array | null = null;
  const { pipeline, sample } = pipelineWith([...Array(20_000).keys()], {
    async sampleFromRawLogits(_logits: object, { top_p = 1 }: { top_p?: number }) {
      return onDevice === null ? ON_DEVICE : sampler(onDevice, top_p, random.randomFloat());
    },
  });
  Object.assign(pipeline.tvm, {
    rng: random,
    setSeed: random.setSeed,
    empty: () => ({ copyFrom: (values: Float32Array) => (onDevice = values) }),
  });
  await applyExtension(pipeline, CPU_SAMPLING, { entry: { ...EXTENDED_MODEL.entry, id: 'another' } });
  onDevice = null;
  expect((await sample(config)) !== ON_DEVICE).toBe(isHere);
});

/** A random number generator with a seed. */
function seededRandom() {
  let state = 0;
  return {
    setSeed: (seed: number) => void (state = seed),
    randomFloat: () => (state = (state * 1_103_515_245 + 12_345) % 2 ** 31) / 2 ** 31,
  };
}
