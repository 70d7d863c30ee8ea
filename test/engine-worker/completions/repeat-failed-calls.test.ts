import { expect, test, vi } from 'vitest';
import { Completions } from '../../../src/engine-worker/completions/completions.ts';
import { ApiError } from '../../../src/shared/api-error.ts';
import type { CompletionEvent, FinishReason, GenerationEvent } from '../../../src/shared/engine/completion-event.ts';
import type { CompletionRequest, JsonSchema, Tool } from '../../../src/shared/engine/completion-request.ts';
import { builtInModel } from '../../../src/shared/models/built-in-models.ts';
import { completionRequest } from '../../support/fakes/completion-request.ts';
import { toolCallText } from '../../../src/engine-worker/tools/tool-syntax.ts';
import { askEngine } from '../fields/ask-engine.ts';
import { ScriptedEngine } from '../../support/fakes/scripted-engine.ts';

const TAGS: JsonSchema = {
  type: 'object',
  properties: { tags: { type: 'array', items: { type: 'string' }, uniqueItems: true } },
  required: ['tags'],
};
const tool = (parameters: JsonSchema): Tool => ({ name: 'set', description: null, parameters });
const [FAILED, OTHER, VALID] = ['{"tags": ["a", "a"]}', '{"tags": ["b", "b"]}', '{"tags": ["a", "b"]}'];

/** A generation: the arguments of each call in pieces, its end, or the error with which it fails. */
interface Generation {
  readonly calls: readonly string[];
  readonly reason?: FinishReason;
  readonly error?: Error;
}

const USAGE = { promptTokens: 9, completionTokens: 5, cachedTokens: 0, reasoningTokens: 0 };

/** Completes a request with an engine whose generations are given, the last of which repeats. */
async function complete(fields: Partial<CompletionRequest>, ...generations: readonly Generation[]) {
  const asked: CompletionRequest[] = [];
  const engine = new ScriptedEngine();
  engine.runFreely();
  engine.generate = async function* (request): AsyncGenerator<GenerationEvent> {
    const { calls, reason = 'tool_calls', error } = generations[Math.min(asked.length, generations.length - 1)]!;
    asked.push(request);
    if (error) throw error;
    for (let choice = 0; choice < request.choices; choice++) {
      yield { type: 'delta', choice, content: 'So:' };
      for (const [index, text] of calls.entries()) {
        const id = `${asked.length}-${index}`;
        yield { type: 'delta', choice, toolCalls: [{ index, id, name: 'set', arguments: '' }] };
        for (const piece of text.match(/.{1,4}/gs) ?? [])
          yield { type: 'delta', choice, toolCalls: [{ index, arguments: piece }] };
      }
      yield { type: 'finish', choice, reason };
    }
    yield { type: 'done', usage: USAGE };
  };
  const completions = new Completions({
    engine,
    findModel: async (id) => ({ ...builtInModel('https://site.test/'), id }),
  });
  const options = { requestId: 'request', fingerprint: 'fingerprint', holdTime: null };
  const request = { ...completionRequest('x'), tools: [tool(TAGS)], ...fields };
  const { log } = completions.start(request, options, 'https://site.test/');
  const events: CompletionEvent[] = [];
  log.subscribe((event) => events.push(event));
  await vi.waitUntil(() => log.ended);
  const calls: { id: string; name: string; input: string }[] = [];
  const deltas = events.flatMap((event) => (event.type === 'delta' && event.choice === 0 ? [event] : []));
  for (const { index, id, name, arguments: text } of deltas.flatMap(({ toolCalls = [] }) => toolCalls)) {
    if (id !== undefined && name !== undefined) calls[index] = { id, name, input: text };
    else calls[index]!.input += text;
  }
  const pieces = deltas.flatMap(({ toolCalls = [] }) => toolCalls).length;
  return { asked, events, calls, pieces, content: deltas.map(({ content = '' }) => content).join('') };
}

test('a call that a left out keyword forbids is asked for once more, and the second one is delivered', async () => {
  const { asked, calls, content, events } = await complete({}, { calls: [FAILED] }, { calls: [VALID] });
  expect(calls).toEqual([{ id: '1-0', name: 'set', input: VALID }]);
  expect(content).toBe('So:');
  expect(asked).toHaveLength(2);
  expect(asked[1]).toMatchObject({ toolChoice: { name: 'set' } });
  expect(asked[1]!.messages.slice(-2)).toEqual([
    { role: 'assistant', content: 'So:', toolCalls: [{ id: '1-0', name: 'set', arguments: FAILED }] },
    { role: 'tool', toolCallId: '1-0', content: expect.stringContaining('"uniqueItems":true') as string },
  ]);
  expect(events.filter(({ type }) => type === 'finish')).toHaveLength(1);
  expect(events.at(-1)).toMatchObject({ type: 'done', usage: { promptTokens: 9, completionTokens: 10 } });
});

test.each<[string, readonly Generation[], input: string, generations: number]>([
  ['valid at once', [{ calls: [VALID] }], VALID, 1],
  ['invalid twice', [{ calls: [FAILED] }, { calls: [OTHER] }], OTHER, 2],
  ['cut by the token limit', [{ calls: [FAILED], reason: 'length' }], FAILED, 1],
  ['cut the second time', [{ calls: [FAILED] }, { calls: ['{"ta'], reason: 'length' }], FAILED, 2],
])('a call that is %s is delivered', async (_what, generations, input, count) => {
  const { asked, calls, events } = await complete({}, ...generations);
  expect(calls.map((call) => call.input)).toEqual([input]);
  expect(asked).toHaveLength(count);
  expect(events.at(-1)).toMatchObject({ type: 'done' });
});

test.each([
  new ApiError('context_length_exceeded', 'Too long.'),
  new ApiError('invalid_value', 'The template takes no results of tools.'),
  new ApiError('unsupported_value', 'No tools.'),
  new ApiError('internal_error', 'Something went wrong.'),
  new Error('a defect'),
])('the first call is delivered if the second attempt fails with %s', async (error) => {
  const { asked, calls, events } = await complete({}, { calls: [FAILED] }, { calls: [], error });
  expect(calls).toEqual([{ id: '1-0', name: 'set', input: FAILED }]);
  expect(asked).toHaveLength(2);
  expect(events.slice(-2)).toMatchObject([
    { type: 'finish', reason: 'tool_calls' },
    { type: 'done', usage: USAGE },
  ]);
});

test.each(['engine_unavailable', 'engine_timeout', 'gpu_device_lost', 'model_not_loaded'] as const)(
  'an engine that is lost in the second attempt ends the answer: %s',
  async (code) => {
    const { events } = await complete({}, { calls: [FAILED] }, { calls: [], error: new ApiError(code, 'Lost.') });
    expect(events.at(-1)).toMatchObject({ type: 'error', error: { code } });
  },
);

test('the second attempt gets the tokens that are left of the limit, and is not made without any', async () => {
  const { asked } = await complete({ maxTokens: 8 }, { calls: [FAILED] }, { calls: [VALID] });
  expect(asked.map(({ maxTokens }) => maxTokens)).toEqual([8, 3]);
  expect((await complete({ maxTokens: 5 }, { calls: [FAILED] })).asked).toHaveLength(1);
});

test.each(['webllm', 'llamaCpp'] as const)('%s asks for a failed call once more, and delivers it', async (engine) => {
  const reply = toolCallText('set', FAILED).match(/[^]{1,3}/g)!;
  const answer = await askEngine(engine, { reply }, { tools: [tool(TAGS)] });
  expect(answer).toMatchObject({ error: null, calls: ['set'], inputs: [FAILED] });
});

test('of several calls only the failed one is repeated, and their order stays', async () => {
  const { asked, calls } = await complete({}, { calls: [VALID, FAILED, OTHER] }, { calls: ['{"tags": []}'] });
  expect(calls.map(({ input }) => input)).toEqual([VALID, '{"tags": []}', '{"tags": []}']);
  expect(asked).toHaveLength(3);
});

test('each choice is repeated by itself', async () => {
  const { asked, events } = await complete({ choices: 2 }, { calls: [FAILED] }, { calls: [VALID] });
  expect(asked.map(({ choices }) => choices)).toEqual([2, 1, 1]);
  expect(events.flatMap((event) => (event.type === 'finish' ? [event.choice] : []))).toEqual([0, 1]);
});

test('arguments are streamed where the grammar follows the whole schema, and held back otherwise', async () => {
  const whole = await complete({ tools: [tool({ type: 'object', properties: { tags: {} } })] }, { calls: [FAILED] });
  expect(whole.pieces).toBeGreaterThan(3);
  const order = whole.events.map(({ type }) => type);
  expect(order.indexOf('finish')).toBeGreaterThan(order.lastIndexOf('delta'));
  expect(whole.asked).toHaveLength(1);
  const held = await complete({}, { calls: [FAILED], reason: 'length' });
  expect(held.calls[0]!.input).toBe(FAILED);
});

test.each<[string, JsonSchema, failed: unknown, valid: unknown]>([
  ['not', { not: { required: ['a', 'b'] } }, { a: 1, b: 1 }, { a: 1 }],
  ['if and else', { if: { properties: { a: { const: 2 } } }, else: { required: ['b'] } }, { a: 1 }, { a: 2 }],
  ['contains', { properties: { a: { type: 'array', contains: { const: 2 } } } }, { a: [1] }, { a: [2] }],
  [
    'maxContains',
    { properties: { a: { type: 'array', contains: { const: 2 }, maxContains: 1 } } },
    { a: [2, 2] },
    { a: [2] },
  ],
  [
    'oneOf of objects',
    { properties: { a: { oneOf: [{ required: ['x'] }, { required: ['y'], properties: { y: {} } }] }, b: {} } },
    { a: { x: 1, y: 1 } },
    { a: { x: 1 } },
  ],
  ['a back reference', { properties: { a: { type: 'string', pattern: '^([ab])\\1$' } } }, { a: 'ab' }, { a: 'aa' }],
])('a call is compared with %s', async (_keyword, schema, failed, valid) => {
  // A back reference is left out of every grammar, so that the calls of this tool are compared with its whole schema.
  const leftOut = [{ properties: { z: { type: 'string', pattern: String.raw`^([ab])\1$` } } }];
  const base = { type: 'object', properties: { a: {}, b: {} }, additionalProperties: true, allOf: leftOut };
  const tools = [tool({ ...base, ...(schema as object) })];
  const generations = [{ calls: [JSON.stringify(failed)] }, { calls: [JSON.stringify(valid)] }];
  const { asked, calls } = await complete({ tools }, ...generations);
  expect(calls.map(({ input }) => JSON.parse(input) as unknown)).toEqual([valid]);
  expect(asked).toHaveLength(2);
  expect((await complete({ tools }, generations[1]!)).asked).toHaveLength(1);
});

test('a pattern that might take minutes is not compared with', async () => {
  const tools = [tool({ type: 'object', properties: { a: { type: 'string', pattern: '^(a+)+\\1$' } } })];
  const { asked, events } = await complete({ tools }, { calls: [JSON.stringify({ a: `${'a'.repeat(20)}!` })] });
  expect(asked).toHaveLength(1);
  expect(events.at(-1)).toMatchObject({ type: 'done' });
});
