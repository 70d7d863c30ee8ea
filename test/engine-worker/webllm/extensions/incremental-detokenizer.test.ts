import { readFileSync } from 'node:fs';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { INCREMENTAL_DETOKENIZER } from '../../../../src/engine-worker/webllm/extensions/incremental-detokenizer.ts';
import { applyExtension } from '../support/apply-extension.ts';
import { realWebLlm, type RealTokenizer } from '../support/real-webllm.ts';
import { ask, loadedEngine } from '../support/test-engine.ts';

const POCKET = new URL('../../../../public/models/pocket/tokenizer.json', import.meta.url);

const WORDS = ['▁', 'a', 'é', '▁the', '▁lo', 'ng', '▁▁', '.', '##ing', "n't", '\u{FFFD}', '👍', 'x</w>', '<s>', ''];
const BYTES = Array.from({ length: 256 }, (_, byte) => `<0x${byte.toString(16).toUpperCase().padStart(2, '0')}>`);

/** The kinds of decoders in packages. In each, the text of a token depends on something else. */
const DECODERS = {
  'byte fallback, as in Llama 2': {
    type: 'Sequence',
    decoders: [
      { type: 'Replace', pattern: { String: '▁' }, content: ' ' },
      { type: 'ByteFallback' },
      { type: 'Fuse' },
      { type: 'Strip', content: ' ', start: 1, stop: 0 },
    ],
  },
  'byte fallback that keeps the leading blank, as in Gemma': {
    type: 'Sequence',
    decoders: [{ type: 'Replace', pattern: { String: '▁' }, content: ' ' }, { type: 'ByteFallback' }, { type: 'Fuse' }],
  },
  metaspace: { type: 'Metaspace', replacement: '▁', prepend_scheme: 'always', split: true },
  'pieces of words': { type: 'WordPiece', prefix: '##', cleanup: true },
  'ends of words': { type: 'BPEDecoder', suffix: '</w>' },
  'no decoder': null,
} as const;

async function wordTokenizer(decoder: object | null): Promise<RealTokenizer> {
  const { libExports } = await realWebLlm();
  const vocab = Object.fromEntries([...WORDS, ...BYTES].map((token, id) => [token, id]));
  const json = JSON.stringify({
    version: '1.0',
    added_tokens: [],
    normalizer: null,
    pre_tokenizer: null,
    post_processor: null,
    decoder,
    model: { type: 'BPE', vocab, merges: [], byte_fallback: true, unk_token: null, fuse_unk: false },
  });
  return libExports.Tokenizer.fromJSON(new TextEncoder().encode(json).buffer);
}

async function pocketTokenizer(): Promise<RealTokenizer> {
  const { libExports } = await realWebLlm();
  return libExports.Tokenizer.fromJSON(Uint8Array.from(readFileSync(POCKET)).buffer);
}

/** Compares a tokenizer's own decoding with the incremental one. `cost` counts the tokens that the latter decodes. */
async function bothWays(tokenizer: Pick<RealTokenizer, 'decode' | 'idToToken'>) {
  const cost = { tokens: 0 };
  const incremental = {
    decode(ids: Int32Array) {
      cost.tokens += ids.length;
      return tokenizer.decode(ids);
    },
    idToToken: (id: number) => tokenizer.idToToken(id),
  };
  const pipeline = { tokenizer: incremental, commitSampledStep: () => {}, commitSampledToken: () => {} };
  await applyExtension(pipeline, INCREMENTAL_DETOKENIZER);
  /** Returns the index of the first token at which the two texts differ; −1 if there is none. */
  const firstDifference = (ids: readonly number[]) =>
    ids.findIndex((_, index) => {
      const some = Int32Array.from(ids.slice(0, index + 1));
      return incremental.decode(some) !== tokenizer.decode(some);
    });
  return { incremental, cost, firstDifference };
}

/** Random answers of words, of bytes (parts of characters, or invalid), and of any tokens. */
function answers(vocabulary: number): fc.Arbitrary<number[]> {
  const word = fc.nat(Math.min(WORDS.length, vocabulary) - 1);
  const byte = fc.integer({ min: 0, max: 255 }).map((value) => Math.min(WORDS.length + value, vocabulary - 1));
  const any = fc.nat(vocabulary - 1);
  const tokens = fc.oneof(
    { weight: 6, arbitrary: word },
    { weight: 2, arbitrary: any },
    { weight: 2, arbitrary: byte },
  );
  return fc.array(tokens, { minLength: 1, maxLength: 160, size: 'max' });
}

test.each(Object.entries(DECODERS))('%s: after each token the text is that of all tokens', async (_name, decoder) => {
  const tokenizer = await wordTokenizer(decoder);
  await fc.assert(
    fc.asyncProperty(answers(tokenizer.getVocabSize()), fc.array(fc.nat(WORDS.length - 1)), async (first, second) => {
      const { firstDifference } = await bothWays(tokenizer);
      expect(firstDifference(first)).toBe(-1);
      // A second answer, which may begin like the first one.
      expect(firstDifference([...first.slice(0, 3), ...second])).toBe(-1);
    }),
    { numRuns: 60 },
  );
});

test('a blank after tokens without text is kept', async () => {
  const tokenizer = await wordTokenizer(DECODERS['byte fallback, as in Llama 2']);
  const [a, empty, the] = ['a', '', '▁the'].map((word) => WORDS.indexOf(word)) as [number, number, number];
  expect((await bothWays(tokenizer)).firstDifference([a, ...Array<number>(60).fill(empty), the, the])).toBe(-1);
});

test('a tokenizer whose text does not only grow at its end is decoded from the start', async () => {
  const backwards = {
    decode: (ids: Int32Array) => [...ids].toReversed().join(' '),
    idToToken: (id: number) => String(id),
  };
  expect((await bothWays(backwards)).firstDifference([...Array(100).keys()])).toBe(-1);
});

test("the built-in model's tokenizer: after each token the text is that of all tokens", async () => {
  const tokenizer = await pocketTokenizer();
  const text = fc.array(fc.oneof(fc.string({ unit: 'grapheme' }), fc.lorem()), { maxLength: 20 });
  const written = text.map((parts) => [...tokenizer.encode(parts.join(' '))]);
  await fc.assert(
    fc.asyncProperty(fc.oneof(written, answers(tokenizer.getVocabSize())), async (ids) => {
      expect((await bothWays(tokenizer)).firstDifference(ids)).toBe(-1);
    }),
    { numRuns: 60 },
  );
});

test('decoding single tokens in between changes nothing', async () => {
  const tokenizer = await pocketTokenizer();
  const ids = tokenizer.encode('Sheep 🐑🐑🐑 are counted by those who cannot sleep. '.repeat(6));
  const { incremental } = await bothWays(tokenizer);
  for (let length = 1; length <= ids.length; length++) {
    expect(incremental.decode(ids.slice(0, length))).toBe(tokenizer.decode(ids.slice(0, length)));
    expect(incremental.decode(ids.slice(3, 4))).toBe(tokenizer.decode(ids.slice(3, 4)));
  }
});

test('decoding the end of a long answer costs no more than its beginning', async () => {
  const tokenizer = await pocketTokenizer();
  const ids = tokenizer.encode('A service worker answers while the page sleeps. 🐑 Naïve? '.repeat(150)).slice(0, 1900);
  expect(ids.length).toBe(1900);
  const { incremental, cost } = await bothWays(tokenizer);
  const costOf = (from: number, to: number) => {
    const before = cost.tokens;
    for (let length = from; length < to; length++) incremental.decode(ids.slice(0, length));
    return (cost.tokens - before) / (to - from);
  };
  costOf(1, 100);
  const early = costOf(100, 400);
  costOf(400, 1600);
  expect(costOf(1600, 1900)).toBeLessThan(early * 1.1);
  expect(early).toBeLessThan(40);
});

test('an answer of many tokens is decoded correctly', async () => {
  const words = Array.from({ length: 300 }, (_, index) => `word${index} `);
  const { engine } = await loadedEngine({ replies: [words] });
  expect((await ask(engine, 'Count.')).choices[0]?.content).toBe(words.join(''));
});
