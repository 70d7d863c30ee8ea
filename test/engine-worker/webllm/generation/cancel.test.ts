import { expect, test, vi } from 'vitest';
import type { CompletionRequest } from '../../../../src/shared/engine/completion-request.ts';
import type { GenerationEvent } from '../../../../src/shared/engine/completion-event.ts';
import { sleep } from '../../../../src/shared/timeout.ts';
import { anyAllowed } from '../support/any-allowed.ts';
import { ask, loadedEngine, requestOf, type TestEngine } from '../support/test-engine.ts';

const endless = Array.from({ length: 500 }, (_, index) => `word${index} `);
const replies = [endless, ['next']];

async function readAll(events: AsyncIterable<GenerationEvent>): Promise<GenerationEvent[]> {
  const all: GenerationEvent[] = [];
  for await (const event of events) all.push(event);
  return all;
}

async function expectFree({ engine }: TestEngine): Promise<void> {
  const { choices, usage } = await ask(engine, 'and now');
  expect(choices[0]).toMatchObject({ content: 'next', reason: 'stop' });
  expect(usage.completionTokens).toBe(2);
}

test('an abort ends the decoding within one step and frees the engine', async () => {
  const test = await loadedEngine({ replies });
  const controller = new AbortController();
  const events: GenerationEvent[] = [];
  const reading = async () => {
    for await (const event of test.engine.generate(requestOf('x'), controller.signal)) {
      events.push(event);
      if (events.length === 4) controller.abort(new Error('enough'));
    }
  };
  await expect(reading()).rejects.toThrow('enough');
  expect(events).toHaveLength(4);
  expect(test.runs[0]?.steps).toBeLessThanOrEqual(3);
  await expectFree(test);
});

test('leaving the loop ends the decoding within one step and frees the engine', async () => {
  const test = await loadedEngine({ replies });
  const events: GenerationEvent[] = [];
  for await (const event of test.engine.generate(requestOf('x'), new AbortController().signal)) {
    events.push(event);
    if (events.length === 4) break;
  }
  expect(test.runs[0]?.steps).toBeLessThanOrEqual(3);
  await expectFree(test);
});

test('an abort between the prefill and the first token ends the generation there', async () => {
  const controller = new AbortController();
  const test = await loadedEngine({
    replies,
    async onForward() {
      controller.abort(new Error('enough'));
    },
  });
  const events: GenerationEvent[] = [];
  const reading = async () => {
    for await (const event of test.engine.generate(requestOf('x'), controller.signal)) events.push(event);
  };
  await expect(reading()).rejects.toThrow('enough');
  expect(events).toEqual([{ type: 'prefill' }]);
  expect(test.runs[0]?.steps).toBe(0);
  await expectFree(test);
});

test('an abort during a long prefill takes effect between two chunks, and the next prompt is prefilled whole', async () => {
  const controller = new AbortController();
  let chunks = 0;
  const test = await loadedEngine({
    replies: [['next']],
    async onForward(kind) {
      if (kind === 'prefill' && ++chunks === 3) controller.abort(new Error('enough'));
    },
  });
  const reading = readAll(test.engine.generate(requestOf('long '.repeat(600)), controller.signal));
  await expect(reading).rejects.toThrow('enough');
  expect(chunks).toBe(3);
  await expectFree(test);
  expect(test.runs.at(-1)?.prompt).toBe('«<|user|>»and now«<|end|>»«<|assistant|>»');
});

function answerOf(value: string): CompletionRequest {
  return requestOf({
    messages: [{ role: 'user', content: 'long '.repeat(100) }],
    responseFormat: { type: 'json_schema', schema: { const: value } },
  });
}

test('an abort during prefill and grammar compilation does not affect the next schema', async () => {
  const controller = new AbortController();
  const onForward = vi.fn<() => Promise<void>>(async () => {});
  const test = await loadedEngine({ sampler: anyAllowed(3), onForward });
  await ask(test.engine, answerOf('makes the compiler'));
  const { loadedModelIdToPipeline: pipelines } = test.engines[0] as unknown as {
    loadedModelIdToPipeline: Map<string, { grammarCompiler: { compileJSONSchema(schema: string): Promise<unknown> } }>;
  };
  const compiler = pipelines.get('scripted')?.grammarCompiler;
  const compile = compiler?.compileJSONSchema.bind(compiler);
  vi.spyOn(compiler!, 'compileJSONSchema').mockImplementation(async (schema) => {
    if (schema.includes('first')) await sleep(50);
    return compile?.(schema);
  });
  onForward.mockImplementationOnce(async () => controller.abort(new Error('enough')));
  const reading = readAll(test.engine.generate(answerOf('first'), controller.signal));
  await expect(reading).rejects.toThrow('enough');
  onForward.mockImplementation(() => sleep(30));
  expect((await ask(test.engine, answerOf('second'))).choices[0]?.content).toBe('"second"');
});

const long = 'x'.repeat(1000);
const chunkCases: [sentence: string, model: string, tokensPerMillisecond: number, reuses: boolean, most: number][] = [
  ['on a very slow device a chunk has the minimum size', 'pocket', 0.01, true, 16],
  ['on a slow device a chunk takes half a second', 'pocket', 0.05, true, 25],
  ["on a fast device a chunk has the library's maximum size", 'pocket', 100, true, 64],
  ['with another library that prefills in parts correctly, a chunk takes half a second', 'other', 0.05, true, 25],
  ['with a library that prefills in parts incorrectly, a chunk has its maximum size', 'other', 0.05, false, 64],
];

test.each(chunkCases)('%s', async (_sentence, model, speed, reuses, most) => {
  vi.useFakeTimers({ toFake: ['performance'] });
  const chunks: number[] = [];
  const test = await loadedEngine({
    entry: { id: model },
    replies: [['next']],
    reuses,
    async onForward(kind, tokens) {
      if (kind === 'prefill') chunks.push(tokens);
      vi.advanceTimersByTime(tokens / speed);
    },
  });
  await ask(test.engine, { model, messages: [{ role: 'user', content: `other ${long}` }] });
  chunks.length = 0;
  const { usage, events } = await ask(test.engine, { model, messages: [{ role: 'user', content: long }] });
  vi.useRealTimers();
  expect(Math.max(...chunks)).toBe(most);
  const prefilled = chunks.reduce((sum, tokens) => sum + tokens);
  expect(prefilled).toBe(usage.promptTokens - usage.cachedTokens);
  expect(test.runs.at(-1)?.prompt).toBe(`«<|user|>»${long}«<|end|>»«<|assistant|>»`);
  const told = events.flatMap((event) => (event.type === 'prefill' && event.tokens ? [event.tokens] : []));
  expect(told.at(-1)).toBe(prefilled - chunks.at(-1)!);
});

test('an abort reaches a model whose tokens have no text', async () => {
  const controller = new AbortController();
  const junk = Uint8Array.from([0xf0, 0x9f]);
  let steps = 0;
  const test = await loadedEngine({
    // WebLLM sends no piece while the number of incomplete characters is odd, so this stream sends nothing.
    sampler: (tokenizer, endOfTurn) => {
      const start = tokenizer.id(junk);
      return ({ run, position }) =>
        run.config['max_tokens'] === 4 ? endOfTurn : position === 0 ? start : tokenizer.id('');
    },
    async onForward() {
      if (++steps === 10) controller.abort(new Error('enough'));
    },
  });
  await expect(readAll(test.engine.generate(requestOf('x'), controller.signal))).rejects.toThrow('enough');
  expect(steps).toBeLessThanOrEqual(11);
  expect((await ask(test.engine, { maxTokens: 4 })).choices[0]?.reason).toBe('stop');
});

test('an abort before the start runs nothing', async () => {
  const test = await loadedEngine({ replies });
  const aborted = AbortSignal.abort(new Error('enough'));
  await expect(readAll(test.engine.generate(requestOf('x'), aborted))).rejects.toThrow('enough');
  expect(test.runs).toEqual([]);
});

test('an abort during one of several choices ends them all', async () => {
  const test = await loadedEngine({ replies: [['a'], endless, ['next']] });
  const controller = new AbortController();
  const reading = async () => {
    for await (const event of test.engine.generate(requestOf({ choices: 3 }), controller.signal)) {
      if (event.type === 'delta' && event.choice === 1) controller.abort(new Error('enough'));
    }
  };
  await expect(reading()).rejects.toThrow('enough');
  expect(test.runs).toHaveLength(2);
  await expectFree(test);
});

test('a lost device ends the running generation, unloads the model, and the next load works', async () => {
  const test = await loadedEngine({
    replies,
    async onForward(kind) {
      if (kind !== 'decode') return;
      // When its device is lost, WebLLM unloads itself, and this step never settles.
      void test.engines.at(-1)?.unload();
      await new Promise(() => {});
    },
  });
  await expect(ask(test.engine, 'x')).rejects.toMatchObject({
    code: 'gpu_device_lost',
    retryAfter: expect.any(Number),
  });
  expect(test.engine.loadedModel).toBeNull();
  await expect(ask(test.engine, 'x')).rejects.toMatchObject({ code: 'gpu_device_lost' });
  await test.engine.load(test.entry, () => {}, new AbortController().signal);
  expect(test.engine.loadedModel).toBe('scripted');
});

test('a library that has trapped is unloaded and not used again, and the next load works', async () => {
  let trapping = true;
  const test = await loadedEngine({
    replies,
    async onForward(kind) {
      if (kind === 'decode' && trapping) throw new WebAssembly.RuntimeError('unreachable');
    },
  });
  const failure = { code: 'engine_unavailable', retryAfter: expect.any(Number) };
  await expect(ask(test.engine, 'x')).rejects.toMatchObject(failure);
  trapping = false;
  expect(test.engine.loadedModel).toBeNull();
  await expect(ask(test.engine, 'x')).rejects.toMatchObject(failure);
  await test.engine.load(test.entry, () => {}, new AbortController().signal);
  expect((await ask(test.engine, 'x')).choices).toHaveLength(1);
});

test('a call that fails just before a device loss is announced is reported as the loss', async () => {
  const test = await loadedEngine({
    replies,
    async onForward(kind) {
      if (kind !== 'decode') return;
      setTimeout(() => void test.engines.at(-1)?.unload(), 5);
      throw new DOMException('Buffer is unmapped.', 'AbortError');
    },
  });
  await expect(ask(test.engine, 'x')).rejects.toMatchObject({ code: 'gpu_device_lost' });
  expect(test.engine.loadedModel).toBeNull();
});
