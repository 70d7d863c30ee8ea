import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readControlTokens } from '../../../src/engine-worker/webllm/prompt/control-tokens.ts';
import { byteLevelTokenizer } from './byte-level-tokenizer.ts';
import { randomWeights, type WeightRecord } from './random-weights.ts';
import { LIBRARY, writeRandomPackage } from './write-random-package.ts';

const TEMPLATE = {
  roles: { user: '<|im_start|>user' },
  stop_str: ['<|im_end|>'],
  stop_token_ids: [2],
};

interface Tokenizer {
  readonly added_tokens: readonly { readonly id: number; readonly content: string }[];
  readonly model: { readonly vocab: Readonly<Record<string, number>>; readonly merges: readonly string[] };
}

test.each([300, 49_152, 151_936])('a tokenizer of %i tokens has each id once, and the parts of each merge', (size) => {
  const made = byteLevelTokenizer({ vocab_size: size, conv_template: TEMPLATE }) as Tokenizer;
  const { vocab, merges } = made.model;
  const ids = [...Object.values(vocab), ...made.added_tokens.map(({ id }) => id)];
  expect(new Set(ids).size).toBe(size);
  expect(Math.max(...new Set(ids))).toBe(size - 1);
  const tokens = merges.flatMap((merge) => [...merge.split(' '), merge.replace(' ', '')]);
  expect(tokens.filter((token) => !(token in vocab))).toEqual([]);
});

test('special texts of the chat template are tokens, those that end an answer with their own ids', () => {
  const { textOf } = readControlTokens(byteLevelTokenizer({ vocab_size: 400, conv_template: TEMPLATE }));
  expect([...textOf]).toEqual([
    [2, '<|im_end|>'],
    [399, '<|im_start|>'],
  ]);
});

const record = (fields: Partial<WeightRecord>): WeightRecord => ({
  name: 'model.weight',
  shape: [8, 8],
  dtype: 'float32',
  format: 'raw',
  nbytes: 256,
  byteOffset: 0,
  ...fields,
});

/** The numbers of a file that contains one weight. */
function numbersOf(fields: Partial<WeightRecord>): number[] {
  const one = record(fields);
  const view = new DataView(randomWeights([one], one.nbytes, 1).buffer);
  const isShort = one.format === 'f32-to-bf16';
  return Array.from({ length: one.nbytes / (isShort ? 2 : 4) }, (_, index) => {
    if (!isShort) return view.getFloat32(index * 4, true);
    const wide = new DataView(new ArrayBuffer(4));
    wide.setUint16(0, view.getUint16(index * 2, true));
    return wide.getFloat32(0);
  });
}

test.each([
  ['of a matrix are around 0', {}, -0.03, 0.03],
  ['in 16 bits are in the same range', { format: 'f32-to-bf16', nbytes: 128 }, -0.03, 0.03],
  ['that scale others are positive', { name: 'model.q_scale' }, 0.005, 0.03],
  ['of a norm are 1', { shape: [64] }, 1, 1],
] as const)('random numbers %s', (_name, fields, least, most) => {
  const numbers = numbersOf(fields);
  expect(Math.min(...numbers)).toBeGreaterThanOrEqual(least);
  expect(Math.max(...numbers)).toBeLessThanOrEqual(most);
  expect(new Set(numbers).size > 1).toBe(least < most);
});

test('a float16 has the value of the float32', () => {
  const half = record({ dtype: 'float16', nbytes: 2, shape: [1], name: 'norm' });
  expect([...randomWeights([half], 2, 1)]).toEqual([0x00, 0x3c]);
});

test('weights are at their offsets, the same for the same seed, and of unknown numbers an error', () => {
  const records = [record({ name: 'a', byteOffset: 256 }), record({ name: 'b', dtype: 'uint32', nbytes: 64 })];
  const file = randomWeights(records, 512, 7);
  expect(file.slice(64, 256).every((byte) => byte === 0)).toBe(true);
  expect(file.slice(0, 64).every((byte) => byte === 0)).toBe(false);
  expect(randomWeights(records, 512, 7)).toEqual(file);
  expect(randomWeights(records, 512, 8)).not.toEqual(file);
  expect(() => randomWeights([record({ dtype: 'complex' })], 256, 1)).toThrow('complex');
});

test('a package is written with the listed files, and a folder without a library is refused', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tabserve-package-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const write = (name: string, content: object) => writeFileSync(join(folder, name), JSON.stringify(content));
  write('mlc-chat-config.json', { vocab_size: 300, conv_template: TEMPLATE, context_window_size: 64 });
  write('ndarray-cache.json', {
    metadata: {},
    records: [{ dataPath: 'shard.bin', format: 'raw-shard', nbytes: 256, md5sum: 'of others', records: [record({})] }],
  });
  const out = join(folder, 'out');
  expect(() => writeRandomPackage(folder, out)).toThrow('.wasm');
  writeFileSync(join(folder, 'some.wasm'), 'library');
  writeRandomPackage(folder, out);
  const read = (name: string) => readFileSync(join(out, name), 'utf8');
  expect(read(LIBRARY)).toBe('library');
  expect(readFileSync(join(out, 'shard.bin'))).toHaveLength(256);
  expect(JSON.parse(read('mlc-chat-config.json'))).toMatchObject({
    context_window_size: 64,
    tokenizer_files: ['tokenizer.json'],
  });
  expect(read('tensor-cache.json')).toBe(read('ndarray-cache.json'));
  expect(read('tensor-cache.json')).not.toContain('of others');
});
