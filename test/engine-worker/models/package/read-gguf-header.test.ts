import { expect, test } from 'vitest';
import { readGgufHeader } from '../../../../src/engine-worker/models/package/read-gguf-header.ts';
import { tinyMmproj } from '../../../support/samples/tiny-vision-model.ts';

type Bytes = readonly number[];

const number = (value: number | bigint, bytes: number): Bytes =>
  Array.from({ length: bytes }, (_, index) => Number((BigInt(value) >> BigInt(8 * index)) & 255n));
const u32 = (value: number): Bytes => number(value, 4);
const u64 = (value: number | bigint): Bytes => number(value, 8);
const text = (value: string): Bytes => {
  const bytes = [...new TextEncoder().encode(value)];
  return [...u64(bytes.length), ...bytes];
};
const MAGIC = [...new TextEncoder().encode('GGUF')];
const textEntry = (key: string, value: string): Bytes => [...text(key), ...u32(8), ...text(value)];
const numberEntry = (key: string, value: number): Bytes => [...text(key), ...u32(4), ...u32(value)];
const ARCHITECTURE = textEntry('general.architecture', 'llama');
const TENSOR: Bytes = [...text('weights'), ...u32(2), ...u64(4), ...u64(4), ...u32(0), ...u64(0)];

interface Parts {
  readonly magic?: Bytes;
  readonly version?: number;
  readonly entries?: readonly Bytes[];
  readonly entryCount?: number | bigint;
  readonly tensors?: readonly Bytes[];
  readonly tensorCount?: number | bigint;
  readonly data?: Bytes;
  /** Default: 32. */
  readonly alignment?: number;
}

function file(parts: Parts = {}): Blob {
  const { magic = MAGIC, version = 3, entries = [ARCHITECTURE], tensors = [TENSOR], data = Array(64).fill(0) } = parts;
  const { entryCount = entries.length, tensorCount = tensors.length, alignment = 32 } = parts;
  const head = [...magic, ...u32(version), ...u64(tensorCount), ...u64(entryCount)];
  const header = [...head, ...entries.flat(), ...tensors.flat()];
  const padding = Array<number>((alignment - (header.length % alignment)) % alignment).fill(0);
  return new Blob([Uint8Array.from([...header, ...padding, ...data])]);
}

test('a header contains architecture, name, licence, context length and template', async () => {
  const entries = [
    ARCHITECTURE,
    textEntry('general.name', 'Small'),
    textEntry('general.license', 'apache-2.0'),
    numberEntry('llama.context_length', 8192),
    textEntry('tokenizer.chat_template', '{{ messages }}'),
    [...text('tokenizer.ggml.tokens'), ...u32(9), ...u32(8), ...u64(4), ...['a', '<s>', 'b', '<think>'].flatMap(text)],
    [...text('tokenizer.ggml.token_type'), ...u32(9), ...u32(5), ...u64(4), ...[1, 3, 1, 4].flatMap(u32)],
    [...text('tokenizer.ggml.scores'), ...u32(9), ...u32(6), ...u64(2), ...u32(0), ...u32(0)],
  ];
  expect(await readGgufHeader(file({ entries }))).toEqual({
    architecture: 'llama',
    name: 'Small',
    licence: 'apache-2.0',
    contextLength: 8192,
    hasChatTemplate: true,
    pooling: null,
    mmproj: null,
    dimensions: null,
    parts: 1,
    parameters: 16,
    quantization: null,
    cacheBytesPerToken: null,
    slidingCacheBytes: 0,
    allows8BitCache: false,
    addedTokens: [
      { id: 1, text: '<s>', special: true },
      { id: 3, text: '<think>', special: false },
    ],
  });
});

test.each([
  ['heads of 64 numbers', 'llama', { embedding_length: 576, 'attention.head_count': 9 }, true],
  [
    'stated heads of 128 numbers',
    'qwen3',
    { embedding_length: 1024, 'attention.head_count': 16, ...heads(128, 128) },
    true,
  ],
  ['heads of 80 numbers', 'phi2', { embedding_length: 2560, 'attention.head_count': 32 }, false],
  [
    'keys that are longer than the values',
    'deepseek2',
    { embedding_length: 2048, 'attention.head_count': 16, ...heads(192, 128) },
    false,
  ],
  ['no flash attention', 't5', { embedding_length: 512, 'attention.head_count': 8 }, false],
  ['an unknown shape', 'mamba', { embedding_length: 768 }, false],
] as const)('whether a model with %s allows an 8-bit cache', async (_, architecture, values, expected) => {
  const entries = [
    textEntry('general.architecture', architecture),
    ...Object.entries(values).map(([name, value]) => numberEntry(`${architecture}.${name}`, value)),
  ];
  expect(await readGgufHeader(file({ entries }))).toMatchObject({ allows8BitCache: expected });
});

test.each([
  ['no sliding attention', 'llama', { block_count: 10 }, 10, 0],
  ['the usual one of Gemma 3', 'gemma3', { block_count: 26, 'attention.sliding_window': 512 }, 4, 22 * 1024],
  ['that of Gemma 2', 'gemma2', { block_count: 26, 'attention.sliding_window': 4096 }, 13, 13 * 4608],
  [
    'a stated order of layers',
    'gpt-oss',
    { block_count: 24, 'attention.sliding_window': 128, ...every(4) },
    6,
    18 * 640,
  ],
  [
    'an order of 0 layers, which counts as none',
    'gemma3',
    { block_count: 26, 'attention.sliding_window': 512, ...every(0) },
    4,
    22 * 1024,
  ],
  ['a window that llama.cpp does not use', 'qwen2', { block_count: 24, 'attention.sliding_window': 128 }, 24, 0],
] as const)('layers with %s take a part of the KV cache', async (_, architecture, values, layers, tokens) => {
  const shape = { embedding_length: 1024, 'attention.head_count': 8, 'attention.head_count_kv': 2, ...values };
  const entries = [
    textEntry('general.architecture', architecture),
    ...Object.entries(shape).map(([name, value]) => numberEntry(`${architecture}.${name}`, value)),
  ];
  const bytes = 2 * (128 + 128) * 2;
  expect(await readGgufHeader(file({ entries }))).toMatchObject({
    cacheBytesPerToken: layers * bytes,
    slidingCacheBytes: tokens * bytes,
  });
});

test.each([
  ['some have no attention, as in LFM2', [0, 0, 8, 0, 0, 8, 0, 0, 8, 0, 8, 0, 8, 0, 8, 0], 48],
  ['they differ, as in OpenELM', [2, 2, 3, 3, 3, 3, 3, 4, 4, 4, 5, 5, 5, 5, 5, 5], 61],
])('of the layers of a model those with attention take memory: %s', async (_, numbers, sum) => {
  const entries = [
    textEntry('general.architecture', 'lfm2'),
    ...Object.entries({ block_count: 16, embedding_length: 1024, 'attention.head_count': 16 }).map(([name, value]) =>
      numberEntry(`lfm2.${name}`, value),
    ),
    [...text('lfm2.attention.head_count_kv'), ...u32(9), ...u32(5), ...u64(16), ...numbers.flatMap(u32)],
  ];
  expect(await readGgufHeader(file({ entries }))).toMatchObject({ cacheBytesPerToken: sum * (64 + 64) * 2 });
});

function every(layers: number) {
  return { 'attention.sliding_window_pattern': layers };
}

function heads(key: number, value: number) {
  return { 'attention.key_length': key, 'attention.value_length': value };
}

const TENSOR_OF_CLASSIFIER: Bytes = [...text('cls.output.weight'), ...u32(1), ...u64(4), ...u32(0), ...u64(0)];

test.each([
  ['an encoder that says it', 'bert', 2, 'cls', [TENSOR]],
  ['an encoder that does not say it', 'nomic-bert', null, 'mean', [TENSOR]],
  ['an encoder that says none', 'gemma-embedding', 0, 'mean', [TENSOR]],
  ['an encoder with a classifier', 'bert', null, 'rank', [TENSOR_OF_CLASSIFIER]],
  ['a language model for embeddings', 'qwen3', 3, 'last', [TENSOR]],
  ['a language model that ranks', 'qwen3', 4, 'rank', [TENSOR_OF_CLASSIFIER]],
  ['a language model', 'qwen3', null, null, [TENSOR]],
  ['a language model with an unknown number', 'qwen3', 9, null, [TENSOR]],
] as const)('the pooling of %s', async (_, architecture, type, pooling, tensors) => {
  const entries = [
    textEntry('general.architecture', architecture),
    numberEntry(`${architecture}.embedding_length`, 384),
    ...(type === null ? [] : [numberEntry(`${architecture}.pooling_type`, type)]),
  ];
  expect(await readGgufHeader(file({ entries, tensors }))).toMatchObject({ pooling, dimensions: 384 });
});

test.each<[string, readonly number[]]>([
  ['of another type', [...u32(9), ...u32(6), ...u64(1), ...u32(3)]],
  ['longer than the vocabulary', [...u32(9), ...u32(5), ...u64(2), ...u32(1), ...u32(1)]],
  ['no array', [...u32(4), ...u32(3)]],
])('token types that are %s are no fault', async (_name, types) => {
  const entries = [
    ARCHITECTURE,
    [...text('tokenizer.ggml.tokens'), ...u32(9), ...u32(8), ...u64(1), ...text('a')],
    [...text('tokenizer.ggml.token_type'), ...types],
  ];
  expect(await readGgufHeader(file({ entries }))).toMatchObject({ addedTokens: [] });
});

test('a header that is longer than the first read is read completely', async () => {
  const tokens = Array.from({ length: 300 }, () => text('x'.repeat(10_000)));
  const entry = [...text('tokenizer.ggml.tokens'), ...u32(9), ...u32(8), ...u64(tokens.length), ...tokens.flat()];
  expect(await readGgufHeader(file({ entries: [entry, ARCHITECTURE] }))).toMatchObject({ architecture: 'llama' });
});

test.each([0, 1, 2, 3, 5, 6, 7, 10, 11, 12])('a value of type %i is read', async (type) => {
  const size = [1, 1, 2, 2, 4, 4, 4, 1, 0, 0, 8, 8, 8][type]!;
  const entry = [...text('key'), ...u32(type), ...number(1, size)];
  expect(await readGgufHeader(file({ entries: [entry, ARCHITECTURE] }))).toMatchObject({ architecture: 'llama' });
});

test('the header of a split model states the number of its files', async () => {
  const entries = [ARCHITECTURE, [...text('split.count'), ...u32(2), ...number(3, 2)]];
  expect(await readGgufHeader(file({ entries }))).toMatchObject({ parts: 3 });
});

/** A file of a split model that says nothing but its number. */
const partOfModel = (no: number) => file({ entries: [[...text('split.no'), ...u32(2), ...number(no, 2)]] });

test('of a split model only the first file must say what the model is', async () => {
  expect(await readGgufHeader(partOfModel(1))).toMatchObject({ architecture: '' });
  await expect(readGgufHeader(partOfModel(0))).rejects.toThrow('architecture');
});

const whole = file();
const HUGE = 2n ** 63n;

const hostile: Record<string, readonly [file: Blob, says: RegExp]> = {
  'an empty file': [new Blob([]), /not a GGUF file \(found: empty/],
  'three bytes': [new Blob(['GGU']), /not a GGUF file/],
  'an HTML page': [new Blob(['\n<!doctype html><title>Sign in</title>']), /found: HTML/],
  'an HTML page with a comment': [new Blob(['<!-- a -->\n<html lang="en">']), /found: HTML/],
  'an error in XML': [new Blob(['<?xml version="1.0"?><Error><Code>AccessDenied</Code></Error>']), /found: XML/],
  'an error in JSON': [new Blob(['{ "error": "Invalid username or password." }']), /found: JSON/],
  'a ZIP archive': [file({ magic: [0x50, 0x4b, 3, 4] }), /found: ZIP/],
  'a gzip file': [file({ magic: [0x1f, 0x8b, 8, 0] }), /found: gzip/],
  'a Zstandard file': [file({ magic: [0x28, 0xb5, 0x2f, 0xfd] }), /found: Zstandard/],
  'a tar archive': [new Blob(['model.gguf'.padEnd(257, '\0'), 'ustar\0'.padEnd(300, '\0')]), /found: tar/],
  'a safetensors file': [
    new Blob([Uint8Array.from(u64(40)), '{"__metadata__":{"format":"pt"}}        ']),
    /found: safetensors/,
  ],
  'a pickled file of PyTorch': [new Blob([Uint8Array.of(0x80, 0x02, 0x8a, 0x0a)]), /PyTorch/],
  'a Git LFS pointer': [
    new Blob(['version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 98400\n']),
    /found: Git-LFS pointer/,
  ],
  'a git-annex pointer': [new Blob(['/annex/objects/SHA256E-s98400--4d7a.gguf\n']), /found: git-annex pointer/],
  'a file that was never filled': [new Blob([new Uint8Array(4096)]), /found: zeros only/],
  'an older format': [file({ magic: [...new TextEncoder().encode('tjgg')] }), /found: old GGML/],
  'a text': [new Blob(['a model']), /does not begin with these four letters/],
  'version 0': [file({ version: 0x01_00 }), /version 256/],
  'version 1': [file({ version: 1 }), /version 1/],
  'version 4': [file({ version: 4 }), /version 4/],
  'a file in the other byte order': [file({ version: 0x03_00_00_00 }), /big-endian/],
  'only the magic number': [new Blob(['GGUF']), /too early/],
  'a missing count': [whole.slice(0, 12), /too early/],
  'a header cut in a key': [whole.slice(0, 40), /too early/],
  'a header cut in a value': [whole.slice(0, 62), /too early/],
  'a header cut in a tensor': [whole.slice(0, 90), /too early/],
  'missing tensor data': [file({ data: [] }), /ends 64 bytes too early/],
  'a tensor beyond the end': [
    file({ tensors: [[...text('w'), ...u32(1), ...u64(4), ...u32(0), ...u64(2 ** 40)]] }),
    /too early/,
  ],
  'a tensor far beyond the end': [
    file({ tensors: [[...text('w'), ...u32(1), ...u64(4), ...u32(0), ...u64(HUGE)]] }),
    /too early/,
  ],
  'too many tensors': [file({ tensorCount: 10 ** 6 }), /lists 1000000/],
  'absurdly many tensors': [file({ tensorCount: HUGE }), /lists 9223372036854776000/],
  'a tensor count above the actual one': [file({ tensorCount: 9 }), /too early/],
  'too many values': [file({ entryCount: 10 ** 6 }), /lists 1000000/],
  'absurdly many values': [file({ entryCount: 2n ** 64n - 1n }), /lists/],
  'a value count above the actual one': [file({ entryCount: 2 }), /too early|lists|type/],
  'a key of 4 GB': [file({ entries: [[...u64(2 ** 32), 97]] }), /lists 4294967296/],
  'a key of 2⁶³ bytes': [file({ entries: [[...u64(HUGE)]] }), /lists/],
  'a text of 4 GB': [file({ entries: [[...text('k'), ...u32(8), ...u64(2 ** 32)]] }), /lists 4294967296/],
  'a template of 5 MB': [file({ entries: [[...text('tokenizer.chat_template'), ...u32(8), ...u64(5e6)]] }), /lists/],
  'an array of 10⁹ numbers': [file({ entries: [[...text('k'), ...u32(9), ...u32(4), ...u64(10 ** 9)]] }), /lists/],
  'an array of 2⁶³ texts': [file({ entries: [[...text('k'), ...u32(9), ...u32(8), ...u64(HUGE)]] }), /lists/],
  'an array longer than the file': [
    file({ entries: [[...text('k'), ...u32(9), ...u32(4), ...u64(10 ** 6)]] }),
    /too early/,
  ],
  'texts longer than the file': [
    file({ entries: [[...text('k'), ...u32(9), ...u32(8), ...u64(10 ** 6)]] }),
    /too early|lists/,
  ],
  'an array of arrays': [file({ entries: [[...text('k'), ...u32(9), ...u32(9), ...u64(1)]] }), /arrays of arrays/],
  'a value of type 13': [file({ entries: [[...text('k'), ...u32(13)]] }), /unknown type 13/],
  'a value of type 2³²−1': [file({ entries: [[...text('k'), ...u32(2 ** 32 - 1)]] }), /unknown type 4294967295/],
  'an array of type 99': [file({ entries: [[...text('k'), ...u32(9), ...u32(99), ...u64(1)]] }), /unknown type 99/],
  'a tensor of 5 dimensions': [file({ tensors: [[...text('w'), ...u32(5)]] }), /lists 5/],
  'a tensor of 2³² dimensions': [file({ tensors: [[...text('w'), ...u32(2 ** 32 - 1)]] }), /lists 4294967295/],
  'no values': [file({ entries: [] }), /which architecture/],
  'no architecture': [file({ entries: [textEntry('general.name', 'Small')] }), /which architecture/],
  'an empty architecture': [file({ entries: [textEntry('general.architecture', '')] }), /which architecture/],
  'an architecture that is a number': [
    file({ entries: [numberEntry('general.architecture', 1)] }),
    /which architecture/,
  ],
};

for (const [what, [blob, says]] of Object.entries(hostile)) {
  test(`${what} is refused with an explanation`, async () => {
    await expect(readGgufHeader(blob)).rejects.toMatchObject({
      name: 'GgufFault',
      message: expect.stringMatching(says),
    });
  });
}

/** The bytes of 512 weights of a type. Source: `GGML_QUANT_SIZES` of the Python package `gguf`. */
const BYTES_OF_512: Readonly<Record<string, readonly [type: number, bytes: number]>> = {
  F32: [0, 2048],
  F16: [1, 1024],
  Q4_0: [2, 288],
  Q5_1: [7, 384],
  Q8_0: [8, 544],
  Q2_K: [10, 168],
  Q4_K: [12, 288],
  Q6_K: [14, 420],
  IQ4_XS: [23, 272],
  IQ1_M: [29, 112],
  BF16: [30, 1024],
  TQ2_0: [35, 132],
  MXFP4: [39, 272],
};

for (const [name, [type, bytes]] of Object.entries(BYTES_OF_512)) {
  for (const alignment of [32, 64]) {
    test(`a file of ${name} that is one byte short is refused, and a whole one is not; aligned to ${alignment}`, async () => {
      const tensors = [0, 4096].map((offset) => [
        ...text('w'),
        ...u32(2),
        ...u64(256),
        ...u64(2),
        ...u32(type),
        ...u64(offset),
      ]);
      const entries = [ARCHITECTURE, ...(alignment === 32 ? [] : [numberEntry('general.alignment', alignment)])];
      const parts = { entries, tensors, alignment };
      expect(await readGgufHeader(file({ ...parts, data: Array(4096 + bytes).fill(1) }))).toMatchObject({
        parameters: 1024,
      });
      await expect(readGgufHeader(file({ ...parts, data: Array(4095 + bytes).fill(1) }))).rejects.toThrow(
        'ends 1 byte too early',
      );
    });
  }
}

test('a header beyond the limit is refused without reading the whole file', async () => {
  let read = 0;
  const endless = {
    size: 2 ** 40,
    slice(from: number, to: number) {
      read = Math.max(read, to - from);
      const bytes = new Uint8Array(to - from);
      bytes.set(Uint8Array.from([...MAGIC, ...u32(3), ...u64(0), ...u64(1)]));
      bytes.set(Uint8Array.from([...text('k'), ...u32(9), ...u32(10), ...u64(2 ** 22), ...text('')]), 24);
      return new Blob([bytes]);
    },
  };
  await expect(readGgufHeader(endless as unknown as Blob)).rejects.toMatchObject({ name: 'GgufFault' });
  expect(read).toBeLessThanOrEqual(2 ** 26);
});

test.each([
  [{}, { seesImages: true, projector: 'mlp' }],
  [{ 'clip.has_vision_encoder': false }, { seesImages: false, projector: 'mlp' }],
  [{ 'clip.vision.projector_type': 'gemma3' }, { seesImages: true, projector: 'gemma3' }],
])('the header of an image encoder (mmproj) says what it encodes %#', async (entries, mmproj) => {
  expect(await readGgufHeader(tinyMmproj({ entries }))).toMatchObject({ architecture: 'clip', mmproj });
});
