import { expect, test } from 'vitest';
import { DECODE_AHEAD } from '../../../../src/engine-worker/webllm/extensions/decode-ahead.ts';
import { applyExtensions } from '../../../../src/engine-worker/webllm/pipeline/apply-extensions.ts';
import { ON_GPU } from '../../../../src/engine-worker/webllm/pipeline/webllm-pipeline.ts';
import { EXTENDED_MODEL, withMembers } from '../support/apply-extension.ts';
import { DeviceContext, type DeviceTensor } from '../support/device-context.ts';

/** Number of positions that the prompts take. */
const PROMPT = 10;
const END = 9;

/**
 * A fake of WebLLM's pipeline whose model answers 1, 2, 3, … and whose functions run on a fake device. Its own sampler
 * answers {@link END}: only the library's functions know the next token.
 */
async function newPipeline(config: object = {}, bias: Readonly<Record<string, number>> = {}, masked = false) {
  const context = new DeviceContext();
  const log: string[] = [];
  const positions: number[] = [];
  const learned: number[] = [];
  const reported: unknown[] = [];
  const randoms = [0.25, 0.5, 0.75];
  const alternatives = { count: 0 };
  const pipeline = {
    stopTokens: [END],
    outputIds: [] as number[],
    stopTriggered: false,
    contextWindowSize: 100,
    filledKVCacheLength: PROMPT,
    fullVocabSize: 10,
    params: {},
    sampleIndicesDevice: {},
    grammarMatcher: { getNextTokenBitmask: async () => Int32Array.of(pipeline.outputIds.length, -1) },
    tvm: {
      lib: { webGPUContext: context },
      rng: { randomFloat: () => randoms.shift() ?? 0 },
      empty: (shape: readonly number[], dtype: string) => context.tensor(dtype, Array<number>(shape[0]!).fill(0)),
      attachToCurrentScope: <Value>(value: Value) => value,
      detachFromCurrentScope: <Value>(value: Value) => value,
    },
    embed: (token: DeviceTensor) => token,
    getTokensEmbeddings: ([token]: readonly number[]) => context.tensor('int32', [token!]),
    async forwardDecodeToken(token: number): Promise<DeviceTensor> {
      log.push(`feed ${token}`);
      pipeline.filledKVCacheLength++;
      const [fed] = pipeline.getTokensEmbeddings([token]).values;
      return context.tensor('float32', [fed!]);
    },
    fapplyBitmask: (_logits: DeviceTensor, _rows: object, mask: DeviceTensor) =>
      void log.push(`mask ${mask.values.join()}`),
    fapplyLogitBias: (_logits: DeviceTensor, ...parts: readonly DeviceTensor[]) =>
      void log.push(`bias ${parts.map(({ values }) => values.join()).join(' ')}`),
    fsoftmaxWithTemperature: (logits: DeviceTensor, temperature: DeviceTensor) => {
      log.push(`temperature ${temperature.values.join()}`);
      return logits;
    },
    fargsortProbs: (sorted: DeviceTensor) => ({ get: () => sorted }),
    fsampleWithTopP(sorted: DeviceTensor, _tokens: object, random: DeviceTensor, _rows: object, topP: DeviceTensor) {
      log.push(`sample ${random.values.join()} of ${topP.values.map((value) => value.toFixed(1)).join()}`);
      return context.tensor('int32', [sorted.values[0]! + 1]);
    },
    sampleFromRawLogits: async (_logits: object, _config?: object): Promise<number> => END,
    async sampleDecodeStep(request?: object): Promise<{ tokenId: number; source: 'decode' }> {
      const logits = await pipeline.forwardDecodeToken(pipeline.outputIds.at(-1)!);
      return { tokenId: await pipeline.sampleFromRawLogits(logits, request), source: 'decode' };
    },
    commitSampledStep: ({ tokenId }: { tokenId: number; source: 'prefill' | 'decode' }, request?: object): void =>
      pipeline.processNextToken(tokenId, request),
    processNextToken(token: number, request?: { max_tokens?: number }, length?: number): void {
      const position = length ?? pipeline.filledKVCacheLength;
      positions.push(position);
      if (token === END) pipeline.stopTriggered = true;
      else pipeline.outputIds.push(token);
      if (pipeline.outputIds.length === request?.max_tokens || position === pipeline.contextWindowSize)
        pipeline.stopTriggered = true;
    },
    triggerStop: () => void (pipeline.stopTriggered = true),
  };
  const others = { needs: [], replaces: [], gain: '' };
  const cpu = {
    gpuSampling: () => ({ greedy: false, temperature: 0.5, topP: 0.9, bias, masked }),
    alternativesOf: () => alternatives.count,
    reportLogprob: (token: number, logits: Float32Array) => reported.push([token, ...logits]),
  };
  withMembers(pipeline, DECODE_AHEAD.needs);
  await applyExtensions(
    pipeline,
    [
      { ...others, name: 'cpu-sampling', apply: () => ({ handle: cpu }) },
      { ...others, name: 'prompt-cache', apply: () => ({ handle: { learn: (token: number) => learned.push(token) } }) },
      DECODE_AHEAD,
    ],
    EXTENDED_MODEL,
  );
  /** Begins an answer whose first token is this one, as after a prefill. */
  const begin = (token: number) => {
    pipeline.outputIds = [];
    pipeline.stopTriggered = false;
    pipeline.commitSampledStep({ tokenId: token, source: 'prefill' }, config);
  };
  const decode = async () => pipeline.commitSampledStep(await pipeline.sampleDecodeStep(config), config);
  /** Decodes until the answer ends. */
  const finish = async () => {
    while (!pipeline.stopTriggered) await decode();
  };
  const fed = () => log.filter((entry) => entry.startsWith('feed')).length;
  begin(1);
  positions.length = 0;
  return { pipeline, context, log, positions, learned, reported, alternatives, begin, decode, finish, fed };
}

test('two steps are submitted before the first token is read, and then one for each token', async () => {
  const { pipeline, context, decode, fed } = await newPipeline();
  let compute: (() => void) | undefined;
  context.busy = new Promise<void>((resolve) => (compute = resolve));
  const first = decode();
  await new Promise((resolve) => setTimeout(resolve, 5));
  expect(fed()).toBe(2);
  expect(pipeline.outputIds).toEqual([1]);
  compute?.();
  await first;
  expect(fed()).toBe(2);
  await decode();
  expect(fed()).toBe(3);
  expect(pipeline.outputIds).toEqual([1, 2, 3]);
});

test('every step reads its token on the GPU, and the committed positions are counted apart', async () => {
  const { pipeline, log, positions, finish } = await newPipeline();
  await finish();
  expect(pipeline.outputIds).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  expect(new Set(log.filter((entry) => entry.startsWith('feed')))).toEqual(new Set([`feed ${ON_GPU}`]));
  expect(positions).toEqual([11, 12, 13, 14, 15, 16, 17, 18]);
});

test('each step gets its random number in the order of the tokens, and the parameters of the request', async () => {
  const { log, decode } = await newPipeline({}, { '3': -5, '4': 2 });
  await decode();
  const sampling = ['bias 0,0 3,4 -5,2', 'temperature 0.5'];
  const [feed, first, second] = [`feed ${ON_GPU}`, 'sample 0.25 of 0.9', 'sample 0.5 of 0.9'];
  expect(log).toEqual([feed, ...sampling, first, feed, ...sampling, second]);
});

/** Returns what happens after this token was fed: mask, bias and parameters of the next one, and its feeding. */
function sampledAfter(token: number, random: number): string[] {
  return [`mask ${token},-1`, 'bias 0 3 -5', 'temperature 0.5', `sample ${random} of 0.9`, `feed ${token + 1}`];
}

test('with a grammar each token is sampled on the GPU with the mask of its position, then bias and parameters', async () => {
  const { pipeline, log, decode } = await newPipeline({}, { '3': -5 }, true);
  await decode();
  await decode();
  expect(pipeline.outputIds).toEqual([1, 2, 3]);
  expect(log).toEqual(['feed 1', ...sampledAfter(1, 0.25), ...sampledAfter(2, 0.5)]);
});

test('without its matcher an answer that a grammar binds fails', async () => {
  const { pipeline, decode } = await newPipeline({}, {}, true);
  Object.assign(pipeline, { grammarMatcher: undefined });
  await expect(decode()).rejects.toThrow('no grammar');
});

test.each<[string, object, number, number]>([
  ['the token limit', { max_tokens: 4 }, 100, 3],
  ['a token limit of two', { max_tokens: 2 }, 100, 1],
  ['the context window', {}, PROMPT + 4, 4],
])('no step is submitted beyond %s', async (_name, config, contextWindowSize, steps) => {
  const { pipeline, fed, finish } = await newPipeline(config);
  pipeline.contextWindowSize = contextWindowSize;
  await finish();
  expect(fed()).toBe(steps);
  expect(pipeline.filledKVCacheLength).toBe(PROMPT + steps);
});

test('the prompt cache learns each token that was processed, in order', async () => {
  const { learned, decode, finish, pipeline } = await newPipeline();
  await decode();
  expect(learned).toEqual([1, 2]);
  await finish();
  expect(learned).toEqual([1, 2, 3, 4, 5, 6, 7, 8, END]);
  expect(pipeline.filledKVCacheLength).toBe(PROMPT + learned.length);
});

test.each<[string, (made: Awaited<ReturnType<typeof newPipeline>>) => unknown]>([
  ['its end', ({ finish }) => finish()],
  ['a stop by the caller', ({ pipeline }) => pipeline.triggerStop()],
])('the next answer after %s begins with its own first token', async (_name, stop) => {
  const made = await newPipeline();
  await made.decode();
  await stop(made);
  made.begin(5);
  await made.decode();
  await made.decode();
  expect(made.pipeline.outputIds).toEqual([5, 6, 7]);
});

test('with log-probabilities each token is reported with the logits of its step', async () => {
  const { reported, alternatives, decode } = await newPipeline();
  alternatives.count = 2;
  await decode();
  await decode();
  expect(reported).toEqual([
    [2, 1],
    [3, 2],
  ]);
});

test('a lost device fails the step that waits, and no other promise', async () => {
  const { context, begin, decode, pipeline } = await newPipeline();
  context.busy = Promise.reject(new Error('lost'));
  context.busy.catch(() => {});
  await expect(decode()).rejects.toThrow('lost');
  context.busy = Promise.resolve();
  begin(3);
  await decode();
  expect(pipeline.outputIds).toEqual([3, 4]);
});
