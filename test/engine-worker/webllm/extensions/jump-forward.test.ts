import { expect, test } from 'vitest';
import { JUMP_FORWARD } from '../../../../src/engine-worker/webllm/extensions/jump-forward.ts';
import type { CompletionRequest } from '../../../../src/shared/engine/completion-request.ts';
import { applyExtensions } from '../../../../src/engine-worker/webllm/pipeline/apply-extensions.ts';
import { EXTENDED_MODEL, withMembers } from '../support/apply-extension.ts';
import { ask, loadedEngine, requestOf } from '../support/test-engine.ts';
import type { Sampler } from '../support/scripted-pipeline.ts';
import type { TestTokenizer } from '../support/test-tokenizer.ts';

const properties = { temperature: { type: 'integer' }, humidity: { type: 'integer' } };
const schema = { type: 'object', properties, required: ['temperature', 'humidity'], additionalProperties: false };
const WEATHER: Partial<CompletionRequest> = { responseFormat: { type: 'json_schema', schema } };

const TEXT = '{"temperature":21,"humidity":60}';
/** One token per byte, as the test's tokenizer spells texts. */
const replies = [[...TEXT], ['next']];

/** The last byte of each forced text is sampled: the quotation mark after a name. */
const FORCED = 'temperature'.length + 'humidity'.length;

/** Asks, and returns the number of tokens of each forward pass after the prompt. */
async function passes(request: Partial<CompletionRequest>, options: Parameters<typeof loadedEngine>[0] = {}) {
  const lengths: number[] = [];
  const onForward = async (kind: string, tokens: number) => void (kind === 'decode' && lengths.push(tokens));
  const { engine } = await loadedEngine({ replies, onForward, ...options });
  const answer = await ask(engine, { ...WEATHER, ...request });
  return { lengths, answer, content: answer.choices[0]?.content };
}

const sum = (lengths: readonly number[]) => lengths.reduce((total, length) => total + length, 0);

test('forced text is computed in one forward pass, and counts as tokens of the answer', async () => {
  const { lengths, answer, content } = await passes({});
  expect(content).toBe(TEXT);
  // With the token that ends the turn.
  expect(answer.usage.completionTokens).toBe(TEXT.length + 1);
  expect(lengths.filter((length) => length > 1)).toEqual(['"temperature'.length, '"humidity'.length]);
  expect(lengths).toHaveLength(TEXT.length - FORCED);
});

test.each<[string, Partial<CompletionRequest>, object]>([
  ['with `logprobs`', { logprobs: true, topLogprobs: 1 }, {}],
  ['on a model library that computes prompts in parts differently', {}, { reuses: false }],
])('%s each token is sampled', async (_name, request, options) => {
  const { lengths, answer, content } = await passes(request, options);
  expect(content).toBe(TEXT);
  expect(lengths).toEqual(Array.from(TEXT, () => 1));
  expect(answer.choices[0]?.logprobs).toHaveLength(request.logprobs ? TEXT.length : 0);
});

test('a forced token with a bias is sampled, and those after it', async () => {
  const { lengths, content } = await passes({ logitBias: { ['p'.charCodeAt(0)]: -1 } });
  expect(content).toBe(TEXT);
  expect(lengths.filter((length) => length > 1)).toEqual(
    ['"tem'.length, 'perature'.length, '"humidity'.length].toSorted((one, other) => one - other),
  );
});

test('each limit of tokens cuts the answer exactly there, and no further token is computed', async () => {
  for (let maxTokens = 1; maxTokens < TEXT.length; maxTokens++) {
    const { lengths, answer } = await passes({ maxTokens });
    expect(answer.choices[0]).toMatchObject({ content: TEXT.slice(0, maxTokens), reason: 'length' });
    expect(answer.usage.completionTokens).toBe(maxTokens);
    expect(sum(lengths)).toBeLessThan(maxTokens);
  }
});

test('each context window is filled exactly, and no further token is computed', async () => {
  const { promptTokens } = (await passes({})).answer.usage;
  for (let room = 1; room < TEXT.length; room++) {
    const { lengths, answer } = await passes({}, { entry: { contextWindow: promptTokens + room } });
    expect(answer.choices[0]).toMatchObject({ content: TEXT.slice(0, room), reason: 'length' });
    expect(sum(lengths)).toBeLessThan(room);
  }
});

test.each(['t', 'emp', 'ure', '"h', 'dity"'])('an answer that stops at %s leaves nothing to the next', async (stop) => {
  const { engine, runs } = await loadedEngine({ replies });
  const { choices } = await ask(engine, { ...WEATHER, stop: [stop] });
  expect(choices[0]).toMatchObject({ content: TEXT.slice(0, TEXT.indexOf(stop)), reason: 'stop' });
  expect((await ask(engine, 'again')).choices[0]?.content).toBe('next');
  expect(runs[1]?.prompt).toBe('«<|user|>»again«<|end|>»«<|assistant|>»');
});

test('an answer that is cancelled within forced text leaves nothing to the next', async () => {
  const { engine, runs } = await loadedEngine({ replies: Array.from({ length: 12 }, () => replies).flat() });
  for (let events = 1; events < 12; events++) {
    const controller = new AbortController();
    let seen = 0;
    const cancelled = async () => {
      for await (const { type } of engine.generate(requestOf(WEATHER), controller.signal)) {
        if (type === 'delta' && ++seen === events) controller.abort();
      }
    };
    await expect(cancelled()).rejects.toThrow('aborted');
    expect((await ask(engine, 'again')).choices[0]?.content).toBe('next');
    expect(runs.at(-1)?.prompt).toBe('«<|user|>»again«<|end|>»«<|assistant|>»');
  }
});

test('a forced text that spells a control token does not become one', async () => {
  const text = '{"role":"<|system|>"}';
  const oneRole = { type: 'object', properties: { role: { const: '<|system|>' } }, required: ['role'] };
  const { lengths, answer, content } = await passes(
    { responseFormat: { type: 'json_schema', schema: oneRole } },
    { replies: [[...text]] },
  );
  expect(content).toBe(text);
  expect(answer.usage.completionTokens).toBe(text.length + 1);
  expect(lengths.filter((length) => length > 1)).toEqual(['"role'.length, '<|system|>'.length]);
});

/** A model that writes any allowed byte, chosen by the answer so far. */
function anyByte(seed: number, endOfTurn: number): Sampler {
  return ({ answer, allows }) => {
    const options = [endOfTurn, ...Array.from({ length: 256 }, (_, byte) => byte)].filter(allows);
    const hash = answer.reduce((sum, byte) => (sum * 31 + byte) % 65_521, seed * 977);
    return options[hash % options.length]!;
  };
}

const SCHEMAS = [
  schema,
  { enum: ['celsius', 'fahrenheit', 'centimetre'] },
  { type: 'array', items: { type: 'object', properties: { unit: { const: 'äöü' } }, required: ['unit'] }, maxItems: 3 },
  { anyOf: [{ type: 'null' }, { type: 'object', properties: { kind: { const: 'a' }, size: { type: 'integer' } } }] },
  { type: 'string', pattern: '^id-[ab]{3}-end$' },
];

test.each(SCHEMAS)('a model writes the same text as without jumps for %j', async (one) => {
  for (let seed = 1; seed < 8; seed++) {
    const sampler = (_tokenizer: TestTokenizer, endOfTurn: number) => anyByte(seed, endOfTurn);
    const request = { responseFormat: { type: 'json_schema', schema: one } as const, maxTokens: 100 };
    const [jumping, stepping] = [await passes(request, { sampler }), await passes(request, { sampler, reuses: false })];
    expect(jumping.content).toBe(stepping.content);
    expect(jumping.answer.usage).toMatchObject({ completionTokens: stepping.answer.usage.completionTokens });
    expect(jumping.lengths.length).toBeLessThanOrEqual(stepping.lengths.length);
  }
});

test('the mask of the next token is computed while the GPU computes the forced tokens', async () => {
  const log: string[] = [];
  const pipeline = {
    stopTokens: [0],
    outputIds: [1],
    contextWindowSize: 100,
    filledKVCacheLength: 10,
    isGrammarConstrained: () => true,
    tokenizer: { encode: () => [7, 8, 9] },
    grammarMatcher: {
      acceptToken: () => true,
      rollBack: () => {},
      findJumpForwardString: () => (pipeline.outputIds.length === 1 ? 'forced' : ''),
    },
    tvm: {
      detachFromCurrentScope: (value: object) => value,
      lib: { webGPUContext: { flushCommands: () => log.push('submit') } },
    },
    async embedAndForward([tokens]: number[][], length: number) {
      log.push(`forward ${String(tokens)}`);
      pipeline.filledKVCacheLength += length;
      return {};
    },
    forwardDecodeToken: (token: number): Promise<object> => pipeline.embedAndForward([[token]], 1),
    async sampleDecodeStep(_config: object) {
      await pipeline.forwardDecodeToken(pipeline.outputIds.at(-1)!);
      log.push('mask');
      return { tokenId: 5 };
    },
    processNextToken(token: number, _config: object, position?: number) {
      log.push(`${token} at ${position}`);
      pipeline.outputIds.push(token);
    },
  };
  const promptCache = { name: 'prompt-cache', needs: [], replaces: [], gain: '', apply: () => ({ handle: null }) };
  await applyExtensions(withMembers(pipeline, JUMP_FORWARD.needs), [promptCache, JUMP_FORWARD], EXTENDED_MODEL);
  for (let step = 0; step < 3; step++) pipeline.processNextToken((await pipeline.sampleDecodeStep({})).tokenId, {});
  expect(log).toEqual(['forward 1,7,8', 'submit', '7 at 11', '8 at 12', 'mask', 'forward 5', 'submit', '5 at 13']);
});
