import { expect, test } from 'vitest';
import { sampleOnCpu, type SamplingPipeline } from '../../../src/engine-worker/webllm/cpu-sampling.ts';
import type { EngineLogprob } from '../../../src/engine-worker/webllm/token-logprobs.ts';

const ON_DEVICE = -1;
const GREEDY = { temperature: 1, top_p: 1e-5 };

/** WebLLM's object with these logits on its device, and a sampler of its own that tells itself by its answer. */
function pipelineWith(values: readonly number[], members: object = {}) {
  const logits = { dtype: 'float32', toArray: () => Float32Array.from(values) };
  const pipeline = {
    sampleFromRawLogits: async (_logits: object, _config: object) => ON_DEVICE,
    updateLogitsOnCPU: (tensor: typeof logits) => tensor,
    isGrammarConstrained: (format: unknown) => format !== undefined,
    device: { sync: async () => {} },
    tvm: { beginScope() {}, endScope() {}, rng: { randomFloat: () => 0.5 } },
    tokenizer: { decode: (ids: Int32Array) => `token ${ids.join()}` },
    config: {},
    fullVocabSize: values.length,
    appearedTokensFreq: new Map<number, number>(),
    tokenLogprobArray: [] as EngineLogprob[],
    ...members,
  };
  const sample = (config: object) => pipeline.sampleFromRawLogits(logits, config);
  return { pipeline, logits, sample };
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
    'a bias for what the grammar forbids',
    { response_format: {}, logit_bias: { '2': 100 } },
    { grammarMatcher: { getNextTokenBitmask: async () => Int32Array.of(0b0011) } },
    0,
  ],
])('%s decides which token is the likeliest', async (_name, config, members, expected) => {
  const { pipeline, sample } = pipelineWith([1, -2, 3, 4], members);
  expect(sampleOnCpu(pipeline, true)).not.toBeNull();
  expect(await sample({ ...GREEDY, ...config })).toBe(expected);
});

test('the device computes while the grammar tells what may come', async () => {
  const order: string[] = [];
  const { pipeline, sample } = pipelineWith([1, 2], {
    device: {
      async sync() {
        order.push('asked');
        await Promise.resolve();
        order.push('computed');
      },
    },
    grammarMatcher: {
      async getNextTokenBitmask() {
        order.push('grammar');
        return Int32Array.of(1);
      },
    },
  });
  sampleOnCpu(pipeline, true);
  expect(await sample({ ...GREEDY, response_format: {} })).toBe(0);
  expect(order).toEqual(['asked', 'grammar', 'computed']);
});

test('the logits of a prompt are on their way while WebLLM waits for the device, and it is waited for once', async () => {
  const order: string[] = [];
  const { pipeline, logits, sample } = pipelineWith([1, 2], {
    device: { sync: async () => void order.push('wait') },
    updateLogitsOnCPU(tensor: object) {
      order.push('copy');
      return tensor;
    },
    forwardPrefill: async () => ({ logits }),
  });
  sampleOnCpu(pipeline, true);
  await (pipeline as SamplingPipeline).forwardPrefill?.('', 'user', undefined, GREEDY);
  expect(order).toEqual(['copy', 'wait']);
  expect(await sample(GREEDY)).toBe(1);
  expect(order).toEqual(['copy', 'wait']);
  expect(await sample(GREEDY)).toBe(1);
  expect(order).toEqual(['copy', 'wait', 'copy', 'wait']);
});

test('as many alternatives are told as are asked for, more than WebLLM would take too, the likeliest first', async () => {
  const { pipeline, sample } = pipelineWith(Array.from({ length: 30 }, (_, token) => (token * 7) % 30));
  const wantAlternatives = sampleOnCpu(pipeline, true);
  const likeliest = Array.from({ length: 30 }, (_, logit) => `token ${((29 - logit) * 13) % 30}`);
  for (const count of [1, 3, 5, 20, 2]) {
    wantAlternatives?.(count);
    await sample({ ...GREEDY, logprobs: true, top_logprobs: Math.min(count, 5) });
    const entry = pipeline.tokenLogprobArray.at(-1);
    expect(entry?.token).toBe(likeliest[0]);
    expect(entry?.top_logprobs.map(({ token }) => token)).toEqual(likeliest.slice(0, count));
  }
});

test.each<[string, number, object, object, number]>([
  ['a large vocabulary', 20_000, {}, {}, ON_DEVICE],
  ['a large vocabulary, when probabilities are asked for', 20_000, { logprobs: true, top_logprobs: 1 }, {}, 19_999],
  ['logits that something else changes', 10, {}, { logitProcessor: {} }, ON_DEVICE],
])('%s: who samples', async (_name, size, config, members, expected) => {
  const { pipeline, sample } = pipelineWith([...Array(size).keys()], members);
  expect(sampleOnCpu(pipeline, true)).not.toBeNull();
  expect(await sample({ ...GREEDY, ...config })).toBe(expected);
});

test.each(['updateLogitsOnCPU', 'isGrammarConstrained', 'tvm', 'tokenizer', 'appearedTokensFreq', 'config', 'device'])(
  'a WebLLM that keeps %s elsewhere samples on the device',
  async (member) => {
    const { pipeline, sample } = pipelineWith([1, 2], { [member]: undefined });
    expect(sampleOnCpu(pipeline as object, true)).toBeNull();
    expect(await sample(GREEDY)).toBe(ON_DEVICE);
  },
);

test.each<[string, object, number]>([
  ['without probabilities', GREEDY, ON_DEVICE],
  ['that draws', { temperature: 1, top_p: 0.9, logprobs: true, top_logprobs: 1 }, ON_DEVICE],
  ['for the likeliest token and probabilities', { ...GREEDY, logprobs: true, top_logprobs: 1 }, 1],
])('a library that may draw other tokens, a request %s: who samples', async (_name, config, expected) => {
  const { pipeline, sample } = pipelineWith([1, 2]);
  expect(sampleOnCpu(pipeline, false)).not.toBeNull();
  expect(await sample(config)).toBe(expected);
});
