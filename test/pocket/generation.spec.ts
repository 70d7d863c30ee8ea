import { expect, test, type Harness } from './support/pocket-test.ts';

interface Options {
  prompt: string;
  maxTokens: number;
  temperature: number;
  seed?: number;
}

function complete(harness: Harness, options: Options): Promise<string> {
  return harness.evaluate(async (h, { prompt, maxTokens, temperature, seed }) => {
    const engine = h.getEngine();
    await engine.resetChat();
    const { choices } = await engine.chat.completions.create({
      messages: [{ role: 'user', content: prompt }],
      max_tokens: maxTokens,
      temperature,
      ...(seed === undefined ? {} : { seed }),
    });
    return choices[0]?.message.content ?? '';
  }, options);
}

test('greedy decoding is deterministic', async ({ load, tiny }) => {
  const harness = await load((await tiny(8)).name);
  const options = { prompt: 'Hello', maxTokens: 24, temperature: 0 };
  const first = await complete(harness, options);
  expect(first).not.toBe('');
  expect(await complete(harness, options)).toBe(first);
});

test('the same seed gives the same text, and another seed another one', async ({ load, tiny }) => {
  const harness = await load((await tiny(8)).name);
  const options = { prompt: 'Hello', maxTokens: 24, temperature: 1 };
  const first = await complete(harness, { ...options, seed: 7 });
  expect(await complete(harness, { ...options, seed: 7 })).toBe(first);
  expect(await complete(harness, { ...options, seed: 8 })).not.toBe(first);
});

test('the published model answers with words', async ({ load, published }) => {
  const harness = await load(published);
  const answer = await complete(harness, { prompt: 'Hello!', maxTokens: 20, temperature: 0 });
  expect(answer).toMatch(/[a-z]{2,}/i);
  expect(await harness.evaluate((h) => h.gpuErrors)).toEqual([]);
});

test('a grammar is enforced', async ({ load, tiny }) => {
  const harness = await load((await tiny(8)).name);
  const schema = JSON.stringify({
    type: 'object',
    properties: { yes: { type: 'boolean' } },
    required: ['yes'],
    additionalProperties: false,
  });
  const answer = await harness.evaluate(async (h, schema) => {
    const { choices } = await h.getEngine().chat.completions.create({
      messages: [{ role: 'user', content: 'Yes?' }],
      max_tokens: 60,
      temperature: 0,
      response_format: { type: 'json_object', schema },
    });
    return choices[0]?.message.content ?? '';
  }, schema);
  expect(typeof (JSON.parse(answer) as { yes: unknown }).yes).toBe('boolean');
});

test('200 generations leak no memory', async ({ load, tiny }) => {
  const harness = await load((await tiny(8)).name);
  const use = await harness.evaluate(async (h) => {
    const engine = h.getEngine();
    const generate = async (index: number) => {
      await engine.resetChat();
      await engine.chat.completions.create({
        // Prompts of many lengths, with penalties, biases and probabilities, so that everything allocates memory.
        messages: [{ role: 'user', content: 'word '.repeat(1 + (index % 9)) }],
        max_tokens: 3,
        temperature: 0.8,
        seed: index,
        frequency_penalty: 0.1,
        logit_bias: { 3: 1 },
        logprobs: true,
        top_logprobs: 2,
      });
    };
    for (let index = 0; index < 20; index++) await generate(index);
    const before = await h.memoryUse();
    for (let index = 0; index < 200; index++) await generate(index);
    return { before, after: await h.memoryUse() };
  });
  expect(use.after.buffers).toBe(use.before.buffers);
  expect(use.after.bytes).toBe(use.before.bytes);
  expect(use.after.linearMemory).toBe(use.before.linearMemory);
  expect(use.after.dispatches).toBeGreaterThan(use.before.dispatches);
});

test('a failing call leaks no memory', async ({ load, tiny }) => {
  const harness = await load((await tiny(8)).name);
  const use = await harness.evaluate(async (h) => {
    const fail = () =>
      h.withLibrary('vm.builtin.kv_state_add_sequence', (add) => {
        const { kvCache, tvm } = h.getPipeline();
        for (let i = 0; i < 1000; i++) {
          try {
            add(kvCache, tvm.scalar(1, 'int64'));
            return 'did not fail';
          } catch {
            continue;
          }
        }
        return 'failed';
      });
    const first = await fail();
    const before = await h.memoryUse();
    for (let i = 0; i < 20; i++) await fail();
    return { first, before, after: await h.memoryUse() };
  });
  expect(use.first).toBe('failed');
  expect(use.after.linearMemory).toBe(use.before.linearMemory);
});
