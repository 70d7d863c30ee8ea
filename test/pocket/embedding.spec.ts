import { readFile } from 'node:fs/promises';
import { expect, test } from './support/pocket-test.ts';
import { largestDifference } from './support/largest-difference.ts';
import { randomNumbers } from './support/random-model.ts';
import { ReferenceModel } from './support/reference-model.ts';

const TOLERANCE = 2e-3;

interface Fixture {
  texts: { text: string; tokens: number[]; vector: string }[];
}

/** Returns lists of random tokens with these lengths. */
function randomTexts(lengths: number[], vocabulary: number): number[][] {
  const random = randomNumbers(lengths.length);
  return lengths.map((length) => Array.from({ length }, () => Math.floor(random() * vocabulary)));
}

test('an encoder computes the vectors that plain TypeScript computes', async ({ loadEncoder, tinyEncoder }) => {
  const { name, shape, tensors } = tinyEncoder;
  const reference = new ReferenceModel(shape, tensors);
  // More texts than WebLLM computes in a batch; one of them has more tokens than the layers process at once.
  const lengths = [200, 1, 2, 3, 4, 5, 63, ...Array.from({ length: 28 }, (_, index) => 6 + (index % 9))];
  const texts = randomTexts(lengths, shape.vocabulary);
  const harness = await loadEncoder(name);
  const vectors = await harness.evaluate((h, texts) => h.embed(texts), texts);
  expect(vectors).toHaveLength(texts.length);
  for (const [index, text] of texts.entries()) {
    const difference = largestDifference(vectors[index]!, reference.embedding(text));
    expect(difference, `${text.length} tokens`).toBeLessThanOrEqual(TOLERANCE);
  }
  expect(await harness.evaluate((h) => h.gpuErrors)).toEqual([]);
});

test('a text has the same vector alone and in any batch', async ({ loadEncoder, tinyEncoder }) => {
  const { name, shape } = tinyEncoder;
  const [text, ...company] = randomTexts([17, 150, 3, 40, 17, 90], shape.vocabulary);
  const harness = await loadEncoder(name);
  const [alone, among] = await harness.evaluate(
    async (h, [text, company]) => [(await h.embed([text!]))[0]!, (await h.embed([...company, text!])).at(-1)!],
    [text, company] as const,
  );
  expect(largestDifference(among!, alone!)).toBeLessThanOrEqual(1e-6);
});

test('a text longer than the context and an empty text are refused', async ({ loadEncoder, tinyEncoder }) => {
  const { name, shape } = tinyEncoder;
  const harness = await loadEncoder(name);
  const [long] = randomTexts([shape.contextWindow + 1], shape.vocabulary);
  const errorOf = (texts: number[][]) => harness.evaluate((h, texts) => h.embed(texts).then(() => null, String), texts);
  expect(await errorOf([long!])).toContain('only supports up to 200');
  expect(await errorOf([[]])).toContain('cannot be empty');
});

test('200 batches leak no memory', async ({ loadEncoder, tinyEncoder }) => {
  const harness = await loadEncoder(tinyEncoder.name);
  const use = await harness.evaluate(async (h) => {
    const embed = (index: number) => h.embed([`a text of ${'many '.repeat(index % 7)}words`, 'short']);
    for (let index = 0; index < 20; index++) await embed(index);
    const before = await h.memoryUse();
    for (let index = 0; index < 200; index++) await embed(index);
    return { before, after: await h.memoryUse() };
  });
  expect(use.after.buffers).toBe(use.before.buffers);
  expect(use.after.bytes).toBe(use.before.bytes);
  expect(use.after.linearMemory).toBe(use.before.linearMemory);
  expect(use.after.dispatches).toBeGreaterThan(use.before.dispatches);
});

test('the published encoder finds a text by its meaning', async ({ loadEncoder, publishedEncoder }) => {
  const harness = await loadEncoder(publishedEncoder);
  const texts = ['The cat sleeps on the warm roof.', 'A service worker answers requests.', 'Our train leaves at nine.'];
  const vectors = await harness.evaluate((h, texts) => h.embed(texts), [...texts, 'Where does the cat sleep?']);
  const question = vectors.pop()!;
  const scores = vectors.map((vector) => vector.reduce((sum, value, index) => sum + value * question[index]!, 0));
  expect(scores.indexOf(Math.max(...scores))).toBe(0);
  expect(await harness.evaluate((h) => h.gpuErrors)).toEqual([]);
});

test('the published encoder computes the vectors of its training code', async ({ loadEncoder, publishedEncoder }) => {
  const path = new URL('fixtures/reference-vectors.json', import.meta.url);
  const { texts } = JSON.parse(await readFile(path, 'utf8')) as Fixture;
  expect(texts.length).toBeGreaterThanOrEqual(5);
  const harness = await loadEncoder(publishedEncoder);
  const [ofText, ofTokens] = await harness.evaluate(
    async (h, texts) => [
      await h.embed(texts.map(({ text }) => text)),
      await h.embed(texts.map(({ tokens }) => tokens)),
    ],
    texts,
  );
  for (const [index, { text, vector }] of texts.entries()) {
    const expected = new Float32Array(new Uint8Array(Buffer.from(vector, 'base64')).buffer);
    expect(largestDifference(ofTokens![index]!, expected), text).toBeLessThanOrEqual(TOLERANCE);
    // The page's tokenizer gives the same tokens as the one in Python.
    expect(ofText![index], text).toEqual(ofTokens![index]);
  }
});
