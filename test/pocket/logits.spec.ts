import { readFile } from 'node:fs/promises';
import { expect, test } from './support/pocket-test.ts';
import { largestDifference } from './support/largest-difference.ts';
import { randomNumbers } from './support/random-model.ts';
import { ReferenceModel } from './support/reference-model.ts';

const TOLERANCE = 2e-3;

interface Fixture {
  prompts: { text: string; tokens: number[]; positions: number[]; logits: string }[];
}

function randomTokens(length: number, vocabulary: number): number[] {
  const random = randomNumbers(length);
  return Array.from({ length }, () => Math.floor(random() * vocabulary));
}

test('the published model computes the logits of its training code @core', async ({ load, published }) => {
  const path = new URL('fixtures/reference-logits.json', import.meta.url);
  const fixture = JSON.parse(await readFile(path, 'utf8')) as Fixture;
  expect(fixture.prompts.length).toBeGreaterThanOrEqual(5);
  const harness = await load(published);
  for (const { text, tokens, positions, logits } of fixture.prompts) {
    const bytes = Buffer.from(logits, 'base64');
    const expected = new Float32Array(new Uint8Array(bytes).buffer);
    const size = expected.length / positions.length;
    for (const [index, position] of positions.entries()) {
      const prefix = tokens.slice(0, position + 1);
      const [computed] = await harness.evaluate((h, prefix) => h.forwardAnew([prefix]), prefix);
      const difference = largestDifference(computed!, expected.subarray(index * size, (index + 1) * size));
      expect(difference, `${text} at ${position}`).toBeLessThanOrEqual(TOLERANCE);
    }
  }
});

for (const weightBits of [8, 4] as const) {
  test(`a model of other dimensions computes the logits that plain TypeScript computes, at ${weightBits} bits`, async ({
    load,
    tiny,
  }) => {
    const { name, shape, tensors } = await tiny(weightBits);
    const tokens = randomTokens(97, shape.vocabulary);
    const expected = new ReferenceModel(shape, tensors).logits(tokens);
    const harness = await load(name);
    // Splits 97 tokens into chunks: one of the maximum size (40), two smaller ones, and a single token.
    const chunks = [tokens.slice(0, 40), tokens.slice(40, 77), tokens.slice(77, 96), tokens.slice(96)];
    const computed = await harness.evaluate((h, chunks) => h.forwardAnew(chunks), chunks);
    for (const [index, end] of [39, 76, 95, 96].entries()) {
      expect(largestDifference(computed[index]!, expected[end]!)).toBeLessThanOrEqual(TOLERANCE);
    }
    expect(await harness.evaluate((h) => h.gpuErrors)).toEqual([]);
  });
}

test('decoding token by token equals one prefill', async ({ load, tiny }) => {
  const { name, shape } = await tiny(8);
  const tokens = randomTokens(33, shape.vocabulary);
  const harness = await load(name);
  const single = await harness.evaluate((h, tokens) => h.forwardAnew(tokens.map((t) => [t])), tokens);
  for (const length of [2, 17, 33]) {
    const prefix = tokens.slice(0, length);
    const [whole] = await harness.evaluate((h, prefix) => h.forwardAnew([prefix]), prefix);
    expect(largestDifference(single[length - 1]!, whole!)).toBeLessThanOrEqual(1e-4);
  }
});

test('prefill in several chunks equals prefill in one', async ({ load, tiny }) => {
  const { name, shape } = await tiny(8);
  const tokens = randomTokens(40, shape.vocabulary);
  const harness = await load(name);
  const [whole] = await harness.evaluate((h, tokens) => h.forwardAnew([tokens]), tokens);
  const chunks = [tokens.slice(0, 3), tokens.slice(3, 31), tokens.slice(31)];
  const parts = await harness.evaluate((h, chunks) => h.forwardAnew(chunks), chunks);
  expect(largestDifference(parts.at(-1)!, whole!)).toBeLessThanOrEqual(1e-4);
});

test('attention reaches back over the whole context', async ({ load, tiny }) => {
  const { name, shape, tensors } = await tiny(8);
  const tokens = randomTokens(600, shape.vocabulary);
  const expected = new ReferenceModel(shape, tensors).logits(tokens).at(-1)!;
  const harness = await load(name);
  const chunks = Array.from({ length: 15 }, (_, index) => tokens.slice(index * 40, (index + 1) * 40));
  const computed = await harness.evaluate((h, chunks) => h.forwardAnew(chunks), chunks);
  expect(largestDifference(computed.at(-1)!, expected)).toBeLessThanOrEqual(TOLERANCE);
});

test('clearing the cache removes the earlier conversation', async ({ load, tiny }) => {
  const { name, shape } = await tiny(8);
  const tokens = randomTokens(20, shape.vocabulary);
  const harness = await load(name);
  const before = await harness.evaluate((h, tokens) => h.forwardAnew([tokens]), tokens);
  await harness.evaluate((h, other) => h.forward([other]), randomTokens(39, shape.vocabulary));
  const after = await harness.evaluate((h, tokens) => h.forwardAnew([tokens]), tokens);
  expect(after).toEqual(before);
});
