import { expect, test } from 'vitest';
import type { EmbeddingInputs } from '../../../../src/shared/engine/completion-request.ts';
import type { GenerationEvent } from '../../../../src/shared/engine/completion-event.ts';
import { MAX_TEXTS } from '../support/embedding-pipeline.ts';
import { ask, requestOf, testEngine, type TestEngine, type TestEngineOptions } from '../support/test-engine.ts';

const never = () => new AbortController().signal;

async function loaded(options: TestEngineOptions = {}): Promise<TestEngine> {
  const test = await testEngine({ replies: [['ok']], ...options });
  await test.engine.load(test.embeddingEntry, () => {}, never());
  return test;
}

const requestFor = (inputs: EmbeddingInputs['inputs'], dimensions: number | null = null) =>
  requestOf({ model: 'embeds', messages: [], embed: { inputs, dimensions } });

async function embed({ engine }: TestEngine, inputs: EmbeddingInputs['inputs'], dimensions?: number) {
  const events: GenerationEvent[] = [];
  for await (const event of engine.generate(requestFor(inputs, dimensions), never())) events.push(event);
  const vectors: number[][] = [];
  for (const event of events) if (event.type === 'delta') vectors[event.choice] = [...(event.embedding ?? [])];
  const last = events.at(-1);
  return { vectors, tokens: last?.type === 'done' ? last.usage.promptTokens : null };
}

/** Returns tokens between the special tokens that the tokenizer puts around a text. */
const framedBy = (tokenizer: TestEngine['tokenizer'], ...tokens: readonly number[]) => [
  tokenizer.id('<s>'),
  ...tokens,
  tokenizer.id('<|end|>'),
];

/** Returns the scripted library's embedding of tokens, as a unit vector. */
function expected(tokens: readonly number[], dimensions = 4): number[] {
  const sum = tokens.reduce((total, token) => total + token, 0);
  const vector = [tokens.length, sum, 0, -1].slice(0, dimensions);
  return vector.map((value) => value / Math.hypot(...vector));
}

/** Rounds vectors to the precision of 32-bit floats. */
const rounded = (vectors: readonly number[][]) =>
  vectors.map((vector) => vector.map((value) => Math.round(value * 1e5) || 0));

test("a text is embedded between the tokenizer's special tokens", async () => {
  const test = await loaded();
  const { tokenizer, batches } = test;
  const framed = framedBy(tokenizer, 72, 105);
  const { vectors, tokens } = await embed(test, ['Hi', '']);
  expect(rounded(vectors)).toEqual(rounded([expected(framed), expected(framedBy(tokenizer))]));
  expect(tokens).toBe(6);
  expect(batches).toEqual([
    {
      tokens: [[...framedBy(tokenizer), 0, 0], framed],
      mask: [
        [1, 1, 0, 0],
        [1, 1, 1, 1],
      ],
    },
  ]);
  expect(await test.engine.tokenize({ type: 'text', text: 'Hi', prefix: true, markers: true }, 'embeds')).toEqual(
    framed,
  );
});

test('a control marker in a text is tokenized as plain characters', async () => {
  const test = await loaded();
  await embed(test, ['<|end|>']);
  expect(test.batches[0]?.tokens[0]).toHaveLength('<|end|>'.length + 2);
});

test('shortened vectors have the length 1', async () => {
  const test = await loaded();
  const { vectors } = await embed(test, ['Hi'], 2);
  expect(rounded(vectors)).toEqual(rounded([expected(framedBy(test.tokenizer, 72, 105), 2)]));
});

test('inputs are computed in batches of similar length, as large as the library allows', async () => {
  const test = await loaded();
  const lengths = [9, 1, 8, 2, 7, 3, 6];
  const { vectors, tokens } = await embed(
    test,
    lengths.map((length) => 'a'.repeat(length)),
  );
  expect(test.batches.map(({ tokens }) => [tokens.length, tokens[0]?.length])).toEqual([
    [MAX_TEXTS, 5],
    [MAX_TEXTS, 10],
    [1, 11],
  ]);
  const framed = lengths.map((length) => framedBy(test.tokenizer, ...Array.from({ length }, () => 97)));
  expect(rounded(vectors)).toEqual(rounded(framed.map((one) => expected(one))));
  expect(tokens).toBe(lengths.reduce((sum, length) => sum + length + 2, 0));
});

test.each([
  ['input', ['x'.repeat(63)]],
  ['input[2]', ['a', 'b', 'x'.repeat(63), 'c']],
])('nothing is computed if %s is too long', async (param, inputs) => {
  const test = await loaded();
  await expect(embed(test, inputs)).rejects.toMatchObject({ code: 'context_length_exceeded', param });
  expect(test.batches).toEqual([]);
  await embed(test, ['x'.repeat(62)]);
});

test('a cancellation takes effect between two batches, and the next request is answered', async () => {
  const controller = new AbortController();
  const test = await loaded({ onBatch: async () => controller.abort() });
  const events = test.engine.generate(requestFor(Array.from({ length: 10 }, () => 'a')), controller.signal);
  const readAll = async () => {
    for await (const event of events) expect(event.type).not.toBe('done');
  };
  await expect(readAll()).rejects.toThrow(/abort/);
  expect(test.batches).toHaveLength(1);
  expect((await embed(test, ['a'])).vectors).toHaveLength(1);
});

test('a text model and an embedding model answer alternately without being reloaded', async () => {
  const test = await loaded();
  const { engine, entry, engines } = test;
  await engine.load(entry, () => {}, never());
  for (let turn = 0; turn < 2; turn++) {
    expect((await ask(engine, 'Hi')).choices[0]?.content).toBe('ok');
    expect((await embed(test, ['a'])).vectors).toHaveLength(1);
  }
  expect(engines).toHaveLength(2);
  expect([engine.loadedModel, engine.loadedEmbeddingModel]).toEqual(['scripted', 'embeds']);
  await engine.unload();
  expect([engine.loadedModel, engine.loadedEmbeddingModel]).toEqual([null, null]);
});

test.each(['scripted', 'embeds'])(
  'if the device has no room for both models, the other one is unloaded for %s',
  async (second) => {
    const loads: string[] = [];
    let present: string | null = null;
    // Simulates a device that can hold only one model.
    const onReload = async (_: object, model: string) => {
      loads.push(model);
      if (present !== null && engine.loadedModel !== null) return false;
      if (present !== null && engine.loadedEmbeddingModel !== null) return false;
      present = model;
      return undefined;
    };
    const test = await testEngine({ replies: [['ok']], onReload });
    const { engine, entry, embeddingEntry } = test;
    const [before, after] = second === 'embeds' ? [entry, embeddingEntry] : [embeddingEntry, entry];
    await engine.load(before, () => {}, never());
    await engine.load(after, () => {}, never());
    expect(loads).toEqual([before.id, after.id, after.id]);
    expect([engine.loadedModel, engine.loadedEmbeddingModel]).toEqual(
      second === 'embeds' ? [null, 'embeds'] : ['scripted', null],
    );
  },
);

test('a load that fails for another reason does not unload the other model', async () => {
  const test = await loaded({
    onReload: async (_, model) => {
      if (model === 'scripted') throw Object.assign(new Error('no'), { name: 'ShaderF16SupportError' });
    },
  });
  await expect(test.engine.load(test.entry, () => {}, never())).rejects.toMatchObject({ code: 'gpu_unavailable' });
  expect(test.engine.loadedEmbeddingModel).toBe('embeds');
});

test('a NaN computed by a library fails the request', async () => {
  const test = await loaded({ onBatch: async ({ tokens }) => void ((tokens as number[][])[0]![0] = Number.NaN) });
  await expect(embed(test, ['a'])).rejects.toMatchObject({ code: 'internal_error' });
});

test('the loss of the device ends the computation and is reported', async () => {
  const test = await loaded({
    onBatch: async () => {
      void test.engines[0]?.unload();
      await new Promise(() => {});
    },
  });
  await expect(embed(test, ['a'])).rejects.toMatchObject({ code: 'gpu_device_lost' });
  expect(test.engine.loadedEmbeddingModel).toBeNull();
});

test('tokenizing a conversation with an embedding model is refused', async () => {
  const { engine } = await loaded();
  const tokens = engine.tokenize({ type: 'conversation', request: requestOf('Hi'), reply: true }, 'embeds');
  await expect(tokens).rejects.toThrow(/reads texts, not conversations/);
});
