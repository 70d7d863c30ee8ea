import { expect, test } from 'vitest';
import type { GenerationEvent } from '../../../src/shared/completion-event.ts';
import { ask, loadedEngine, requestOf, type TestEngine } from './support/test-engine.ts';

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

test('an abort reaches a model that writes no characters at all', async () => {
  const controller = new AbortController();
  const junk = Uint8Array.from([0xf0, 0x9f]);
  let steps = 0;
  const test = await loadedEngine({
    // An odd number of broken characters is never a piece for WebLLM, so its stream stays silent.
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

test('a lost device ends the running generation, nothing counts as loaded, and the next load works', async () => {
  const test = await loadedEngine({
    replies,
    async onForward(kind) {
      if (kind !== 'decode') return;
      // The device is gone: WebLLM unloads itself, and this step never comes back.
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

test('a library that has trapped is not used again: nothing counts as loaded, and the next load works', async () => {
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

test('a call that fails just before the loss is announced is told as the loss', async () => {
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
