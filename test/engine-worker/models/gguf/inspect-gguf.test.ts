import { beforeEach, expect, test, vi } from 'vitest';
import { ChosenFiles } from '../../../../src/engine-worker/models/download/chosen-files.ts';
import { ggufFit, ggufMostParallel, ggufMostWindow } from '../../../../src/engine-worker/models/gguf/gguf-fit.ts';
import { modelEntry, readModelPackage } from '../../../../src/engine-worker/models/download/model-package.ts';
import { inspectGguf } from '../../../../src/engine-worker/models/gguf/inspect-gguf.ts';
import type { GgufFacts } from '../../../../src/shared/models/model-facts.ts';
import { ggufFile, splitGgufFile } from '../../../support/samples/gguf-file.ts';
import { tinyMmproj } from '../../../support/samples/tiny-vision-model.ts';
import { FaultyModelServer } from '../../../support/sites/faulty-model-server.ts';

const SITE = 'https://site.test/';
const HUB = 'https://huggingface.co';

let server: FaultyModelServer;

beforeEach(() => {
  server = new FaultyModelServer();
});

const file = (name: string, bytes = ggufFile()) => new File([bytes], name, { lastModified: 5 });
const inspect = (from: string | readonly File[], mirror: string | null = null) =>
  inspectGguf(from, { fetch: server.fetch, chosenFiles: new ChosenFiles(), site: SITE, mirror });
const addFile = (path: string, bytes = ggufFile()) => void server.files.set(path, bytes);

test('a chosen file shows its facts, and nothing is fetched', async () => {
  const bytes = ggufFile();
  expect(await inspect([file('My model.Q4_K_M.gguf', bytes)])).toMatchObject({
    id: 'My-model.Q4_K_M',
    format: 'gguf',
    modelUrl: expect.stringMatching(/^https:\/\/site\.test\/models\/chosen\/[\da-f]{32}\/My%20model\.Q4_K_M\.gguf$/),
    contextWindow: 2048,
    gguf: {
      architecture: 'llama',
      name: 'Tiny',
      licence: 'apache-2.0',
      quantization: 'Q4_K_M',
      parameters: 32,
      contextLength: 2048,
      hasChatTemplate: true,
      bytes: bytes.length,
      // 2 layers × 2 key-value heads × 2 (key and value) × 16 numbers × 2 bytes.
      cacheBytesPerToken: 256,
    },
  });
  expect(server.requests).toEqual([]);
});

test('a chosen file that the browser cannot read is named, with what to do', async () => {
  const unreadable = new File([], 'far.gguf');
  Object.defineProperty(unreadable, 'slice', {
    value: () => ({ arrayBuffer: () => Promise.reject(new DOMException('It is gone.', 'NotReadableError')) }),
  });
  await expect(inspect([unreadable])).rejects.toThrow(/^far\.gguf can no longer be read .* Choose the same file again/);
});

test.each([
  ['Größe Q4.gguf', 'Gr-e-Q4'],
  ['模型-7B.gguf', '7B'],
  ['模型.gguf', 'model'],
  ['.gguf', 'model'],
])('the name of the file %s makes the id %s', async (name, id) => {
  expect(await inspect([file(name)])).toMatchObject({ id });
});

test.each([
  ['an embedding model', 1, { dimensions: 384 }],
  ['a reranking model', 4, { dimensions: 1, ranks: true }],
] as const)('a file of %s shows what it computes', async (_, pooling, embedding) => {
  const bytes = ggufFile({
    'general.architecture': 'bert',
    'bert.embedding_length': 384,
    'bert.context_length': 512,
    'bert.pooling_type': pooling,
  });
  const source = await inspect([file('compares.gguf', bytes)]);
  expect(source).toMatchObject({ embedding: true, contextWindow: 512, gguf: { embedding } });
  const entry = modelEntry(source, await readModelPackage(source, () => Promise.reject(new Error())), 0);
  expect(entry).toMatchObject({ embedding, format: 'gguf' });
});

test('the default context window of a model that allows a longer one is 4,096 tokens', async () => {
  const bytes = ggufFile({ 'llama.context_length': 131_072 });
  expect(await inspect([file('long.gguf', bytes)])).toMatchObject({
    contextWindow: 4096,
    gguf: { contextLength: 131_072 },
  });
});

test('all parts of a split model are one model, in any order', async () => {
  const parts = [2, 1].map((part) => file(`big-0000${part}-of-00002.gguf`, splitGgufFile(part, 2)));
  const source = await inspect(parts);
  expect(source).toMatchObject({ id: 'big', gguf: { parameters: 64, bytes: parts[0]!.size + parts[1]!.size } });
  expect(source.modelUrl).toMatch(/big-00001-of-00002\.gguf$/);
});

test.each([
  [
    'a part is missing',
    [file('big-00001-of-00003.gguf'), file('big-00003-of-00003.gguf')],
    /missing: big-00002-of-00003\.gguf/,
  ],
  [
    'a header names the file as one part of several',
    [file('big.gguf', ggufFile({ 'split.count': 2 }))],
    /split into 2 files/,
  ],
  ['the files belong to two models', [file('one.gguf'), file('two.gguf')], /several models/],
  ['the file is no GGUF file', [new File(['<html>'], 'x.gguf')], /not a GGUF file/],
] as const)('an error says that %s', async (_, files, sentence) => {
  await expect(inspect(files)).rejects.toMatchObject({
    code: 'invalid_value',
    message: expect.stringMatching(sentence),
  });
});

/** A file by which a model sees images. */
const encoder = (name: string, entries: Parameters<typeof tinyMmproj>[0] = {}) =>
  new File([tinyMmproj(entries)], name, { lastModified: 7 });

test.each(['mmproj.gguf', 'a.gguf', 'small.gguf'])(
  'a file that is chosen together with its image encoder %s sees images',
  async (name) => {
    const [model, mmproj] = [file('small.gguf'), encoder(name)];
    for (const files of [
      [model, mmproj],
      [mmproj, model],
    ]) {
      const source = await inspect(files);
      expect(source).toMatchObject({
        id: 'small',
        images: true,
        modelUrl: expect.stringMatching(/\/small\.gguf$/),
        mmproj: expect.stringMatching(new RegExp(`/${name}$`)),
        gguf: { architecture: 'llama', parameters: 32, bytes: model.size + mmproj.size, mmprojBytes: mmproj.size },
      });
      expect(source.mmproj).not.toBe(source.modelUrl);
      const listed = await readModelPackage(source, () => Promise.reject(new Error()));
      expect(listed.files.map(({ url, bytes }) => [url, bytes])).toEqual([
        [source.modelUrl, model.size],
        [source.mmproj, mmproj.size],
      ]);
      expect(modelEntry(source, listed, 0)).toMatchObject({ images: true, mmproj: source.mmproj });
    }
  },
);

test('all parts of a split model and its image encoder are one model', async () => {
  const parts = [2, 1].map((part) => file(`big-0000${part}-of-00002.gguf`, splitGgufFile(part, 2)));
  const mmproj = encoder('mmproj.gguf');
  expect(await inspect([parts[0]!, mmproj, parts[1]!])).toMatchObject({
    id: 'big',
    gguf: { parameters: 64, bytes: parts[0]!.size + parts[1]!.size + mmproj.size },
  });
});

test('an image encoder alone cannot run, and the reason says what it belongs to', async () => {
  const { gguf, contextWindow } = await inspect([encoder('mmproj.gguf')]);
  expect(ggufFit(gguf!, contextWindow!, UNLIMITED)).toEqual({
    verdict: 'no',
    reasons: [expect.stringContaining('together with the file of its model')],
    sentences: [{ code: 'isEncoder', values: [] }],
  });
});

test.each([
  [
    'an encoder of sounds',
    [file('small.gguf'), encoder('x.gguf', { entries: { 'clip.has_vision_encoder': false } })],
    /hears/,
  ],
  [
    'the image encoder of an embedding model',
    [file('compares.gguf', ggufFile({ 'general.architecture': 'bert' })), encoder('x.gguf')],
    /compares texts only/,
  ],
  ['an image encoder with two models', [file('one.gguf'), encoder('x.gguf'), file('two.gguf')], /several models/],
  ['two image encoders', [encoder('x.gguf'), encoder('y.gguf'), file('one.gguf')], /several models/],
] as const)('%s is refused with a sentence', async (_, files, sentence) => {
  await expect(inspect(files)).rejects.toMatchObject({
    code: 'invalid_value',
    message: expect.stringMatching(sentence),
  });
});

test('only the header of a file on a server is fetched', async () => {
  addFile('/models/x.gguf', ggufFile({}, 3 * 2 ** 20));
  const source = await inspect('https://models.test/models/x.gguf');
  expect(source).toMatchObject({
    id: 'x',
    modelUrl: 'https://models.test/models/x.gguf',
    gguf: { bytes: server.files.get('/models/x.gguf')!.length },
  });
  expect(server.requests).toEqual([{ method: 'GET', path: '/models/x.gguf', range: 'bytes=0-1048575' }]);
});

/** A `fetch` of a server that shows pages of other origins no further headers. */
const hiding: typeof fetch = async (input, init) => {
  const { body, status, headers } = await server.fetch(input, init);
  headers.delete('content-range');
  return new Response(body, { status, headers });
};

test('the size of a file is known also if its server hides it from other origins behind ranges', async () => {
  const bytes = ggufFile({}, 3e6);
  addFile('/a.gguf', bytes);
  const environment = { fetch: hiding, chosenFiles: new ChosenFiles(), site: SITE, mirror: null };
  expect(await inspectGguf('https://models.test/a.gguf', environment)).toMatchObject({ gguf: { bytes: bytes.length } });
});

test('a server that ignores ranges is read only to the end of the header', async () => {
  addFile('/x.gguf', ggufFile({}, 3 * 2 ** 20));
  server.ranges = false;
  expect(await inspect('https://models.test/x.gguf')).toMatchObject({ gguf: { architecture: 'llama' } });
  expect(server.requests).toHaveLength(1);
});

test.each([
  `${HUB}/someone/small/resolve/main/x.gguf`,
  `${HUB}/someone/small/resolve/main/x.gguf?download=true`,
  `${HUB}/someone/small/blob/main/x.gguf`,
])('%s is the address of a file', async (typed) => {
  addFile('/someone/small/resolve/main/x.gguf');
  expect(await inspect(typed)).toMatchObject({ modelUrl: `${HUB}/someone/small/resolve/main/x.gguf` });
});

const SHA = 'ab'.repeat(32);
const TREE = new TextEncoder().encode(
  JSON.stringify([
    { path: 'README.md' },
    { path: 'mmproj-Q4_K_M.gguf' },
    { path: 'small-Q8_0.gguf' },
    { path: 'small-Q4_K_M.gguf', lfs: { oid: SHA } },
  ]),
);

test.each([
  ['hf:someone/small', 'small-Q4_K_M.gguf', SHA],
  ['hf:someone/small:Q8_0', 'small-Q8_0.gguf', null],
  [`${HUB}/someone/small`, 'small-Q4_K_M.gguf', SHA],
])('%s is a repository: %s', async (typed, name, sha256) => {
  server.files.set('/api/models/someone/small/tree/main', TREE);
  addFile(`/someone/small/resolve/main/${name}`);
  expect(await inspect(typed)).toMatchObject({
    modelUrl: `${HUB}/someone/small/resolve/main/${name}`,
    gguf: { sha256 },
  });
});

/** The names of the files that repositories of several publishers have, without the model's own name. */
const PUBLISHED = [
  ['a quantization is no part of a longer word', 'F16', ['m-BF16.gguf', 'm-F16.gguf'], 'm-F16.gguf'],
  [
    'a quantization is no part of a longer word',
    'f16',
    ['BF16/m-BF16-00001-of-00001.gguf', 'm-f16.gguf'],
    'm-f16.gguf',
  ],
  ['a quantization is no part of a longer word', 'Q4_K', ['m-TQ4_K.gguf', 'm-Q4_K.gguf'], 'm-Q4_K.gguf'],
  ['a quantization is no part of a longer word', 'Q2_0', ['m-TQ2_0.gguf', 'm-Q2_0.gguf'], 'm-Q2_0.gguf'],
  ['a name may follow a hyphen', 'Q4_K_M', ['m-Q4_K_S.gguf', 'm-Q4_K_M.gguf'], 'm-Q4_K_M.gguf'],
  ['a name may follow a dot', 'Q4_K_M', ['m.Q4_K_S.gguf', 'm.Q4_K_M.gguf'], 'm.Q4_K_M.gguf'],
  ['a name may follow an underscore', 'Q8_0', ['m_v1_Q4_0.gguf', 'm_v1_Q8_0.gguf'], 'm_v1_Q8_0.gguf'],
  ['lower and upper case are the same', 'Q4_K_M', ['m-q4_0.gguf', 'm-q4_k_m.gguf'], 'm-q4_k_m.gguf'],
  ['lower and upper case are the same', 'iq4_xs', ['m-IQ4_NL.gguf', 'm-IQ4_XS.gguf'], 'm-IQ4_XS.gguf'],
  ['the beginning of a name is enough', 'Q4_K', ['m-Q3_K_M.gguf', 'm-Q4_K_M.gguf'], 'm-Q4_K_M.gguf'],
  ['the beginning of a name is enough', 'Q8', ['m-Q6_K.gguf', 'm-Q8_0.gguf'], 'm-Q8_0.gguf'],
  ['the end of a name is enough', 'Q4_K_XL', ['m-Q4_K_M.gguf', 'm-UD-Q4_K_XL.gguf'], 'm-UD-Q4_K_XL.gguf'],
  ['a name has several words', 'UD-Q4_K_XL', ['m-Q4_K_XL.gguf', 'm-UD-Q4_K_XL.gguf'], 'm-UD-Q4_K_XL.gguf'],
  ['a name has several words', 'i1-Q4_K_M', ['m.Q4_K_M.gguf', 'm.i1-Q4_K_M.gguf'], 'm.i1-Q4_K_M.gguf'],
  ['a whole file name is a name', 'm-Q8_0.gguf', ['m-Q4_0.gguf', 'm-Q8_0.gguf'], 'm-Q8_0.gguf'],
  ['a hyphen before the name counts for nothing', '-Q8_0', ['m-Q4_0.gguf', 'm-Q8_0.gguf'], 'm-Q8_0.gguf'],
  ['without a name the usual one is chosen', '', ['m-IQ4_XS.gguf', 'm-Q4_K_M.gguf'], 'm-Q4_K_M.gguf'],
  ['without a name a near one is chosen', '', ['m-F32.gguf', 'm-IQ4_XS.gguf', 'm-Q2_K.gguf'], 'm-IQ4_XS.gguf'],
  ['without a name a near one is chosen', '', ['m.BF16.gguf', 'm.Q2_K.gguf', 'm.Q3_K_L.gguf'], 'm.Q3_K_L.gguf'],
  ['without a name a near one is chosen', '', ['UD-IQ1_M/m-UD-IQ1_M.gguf', 'm-UD-Q5_K_XL.gguf'], 'm-UD-Q5_K_XL.gguf'],
  ['the largest are chosen last', '', ['BF16/m-BF16.gguf', 'F32/m.gguf', 'm-f16.gguf', 'm-q8_0.gguf'], 'm-q8_0.gguf'],
  ['the largest are chosen last', '', ['m-bf16.gguf', 'm-f32.gguf', 'm-iq2_xxs.gguf'], 'm-iq2_xxs.gguf'],
  ['the largest are chosen last', '', ['m-F16.gguf', 'm-fp32.gguf', 'm.gguf'], 'm.gguf'],
  ['the only one is chosen', '', ['m-BF16.gguf'], 'm-BF16.gguf'],
  [
    'files without a language model are not chosen',
    '',
    ['imatrix.gguf', 'm-Q8_0.gguf', 'mmproj-Q4_K_M.gguf'],
    'm-Q8_0.gguf',
  ],
  [
    'files without a language model are not chosen',
    '',
    ['ggml-vocab-m.gguf', 'm-lora-Q4_K_M.gguf', 'm-F32.gguf'],
    'm-F32.gguf',
  ],
  [
    'files without a language model are not chosen',
    'F16',
    ['m-imatrix-F16.gguf', 'mmproj-F16.gguf', 'm-F16.gguf'],
    'm-F16.gguf',
  ],
  ['a word of the name is no quantization', '', ['q4-wizard-F16.gguf', 'q4-wizard-Q6_K.gguf'], 'q4-wizard-Q6_K.gguf'],
] as const;

test.each(PUBLISHED)('%s: %j', async (_, quantization, paths, found) => {
  const tree = new TextEncoder().encode(JSON.stringify(paths.map((path) => ({ path }))));
  server.files.set('/api/models/someone/small/tree/main', tree);
  addFile(`/someone/small/resolve/main/${found}`);
  const typed = quantization === '' ? 'hf:someone/small' : `hf:someone/small:${quantization}`;
  expect(await inspect(typed)).toMatchObject({ modelUrl: `${HUB}/someone/small/resolve/main/${found}` });
});

/** Number of a part of a split model, in the name of its file. */
const partOf = (address: string) => Number(/0000(\d)-of-/.exec(address)![1]);

test('the parts of a split file are found by its quantization', async () => {
  const paths = ['BF16', 'F16'].flatMap((name) => [1, 2].map((part) => `${name}/m-${name}-0000${part}-of-00002.gguf`));
  const tree = new TextEncoder().encode(JSON.stringify(paths.map((path) => ({ path }))));
  server.files.set('/api/models/someone/small/tree/main', tree);
  for (const path of paths) addFile(`/someone/small/resolve/main/${path}`, splitGgufFile(partOf(path), 2));
  expect(await inspect('hf:someone/small:F16')).toMatchObject({
    modelUrl: `${HUB}/someone/small/resolve/main/F16/m-F16-00001-of-00002.gguf`,
  });
});

test.each([null, 'https://mirror.test/hub/'])(
  'each part of a split file is compared with what its publisher states (mirror: %s)',
  async (mirror) => {
    const names = [1, 2].map((part) => `a b-Q4_K_M-0000${part}-of-00002.gguf`);
    const oids = ['1', '2'].map((digit) => digit.repeat(64));
    const tree = names.map((path, index) => ({ path, lfs: { oid: oids[index] } }));
    const root = mirror === null ? '' : '/hub/huggingface.co';
    addFile(`${root}/api/models/someone/small/tree/main`, new TextEncoder().encode(JSON.stringify(tree)));
    for (const [index, name] of names.entries())
      addFile(`${root}/someone/small/resolve/main/${encodeURIComponent(name)}`, splitGgufFile(index + 1, 2));
    const source = await inspect('someone/small', mirror);
    const { files } = await readModelPackage(source, () => Promise.reject(new Error()));
    expect(files.map(({ sha256 }) => sha256)).toEqual(oids);
  },
);

test('of several models in a repository the smallest is chosen, with all its parts counted', async () => {
  const tree = [
    { path: 'a-Q4_K_M-00001-of-00002.gguf', size: 5 },
    { path: 'a-Q4_K_M-00002-of-00002.gguf', size: 5 },
    { path: 'b-Q4_K_M.gguf', size: 9 },
    { path: 'c-Q4_K_M.gguf', size: 11 },
  ];
  server.files.set('/api/models/someone/small/tree/main', new TextEncoder().encode(JSON.stringify(tree)));
  addFile('/someone/small/resolve/main/b-Q4_K_M.gguf');
  expect(await inspect('someone/small')).toMatchObject({ modelUrl: `${HUB}/someone/small/resolve/main/b-Q4_K_M.gguf` });
});

test('a branch that the address names is searched', async () => {
  server.files.set('/api/models/someone/small/tree/v2', TREE);
  addFile('/someone/small/resolve/v2/small-Q4_K_M.gguf');
  expect(await inspect(`${HUB}/someone/small/tree/v2`)).toMatchObject({
    modelUrl: `${HUB}/someone/small/resolve/v2/small-Q4_K_M.gguf`,
  });
});

test.each([
  ['in the path', (part: number) => `https://models.test/big-0000${part}-of-00003.gguf`],
  ['in the middle of the path', (part: number) => `https://models.test/big-0000${part}-of-00003.gguf/content`],
  ['in the query', (part: number) => `https://models.test/get?file=a%2Fbig-0000${part}-of-00003.gguf&key=1`],
  ['in both', (part: number) => `https://models.test/big-0000${part}-of-00003.gguf?name=big-0000${part}-of-00003.gguf`],
])('all parts of a split model are found by one of them, whose number is %s', async (_, addressOf) => {
  const parts = [1, 2, 3].map((part) => splitGgufFile(part, 3));
  const requested: string[] = [];
  const fetch: typeof globalThis.fetch = async (input) => {
    const address = new URL(input instanceof Request ? input.url : String(input)).href;
    requested.push(address);
    const bytes = parts[partOf(address) - 1]!;
    return new Response(bytes, { headers: { 'content-length': String(bytes.length) } });
  };
  for (const given of [1, 2, 3]) {
    const environment = { fetch, chosenFiles: new ChosenFiles(), site: SITE, mirror: null };
    const source = await inspectGguf(addressOf(given), environment);
    expect(source).toMatchObject({
      id: 'big',
      modelUrl: new URL(addressOf(1)).href,
      gguf: { bytes: parts.reduce((sum, { length }) => sum + length, 0) },
    });
    const { files } = await readModelPackage(source, () => Promise.reject(new Error()));
    expect(files.map(({ url, name }) => [url, name])).toEqual(
      [1, 2, 3].map((part) => [new URL(addressOf(part)).href, `big-0000${part}-of-00003.gguf`]),
    );
  }
  expect(new Set(requested)).toEqual(new Set([1, 2, 3].map((part) => new URL(addressOf(part)).href)));
});

test('a server that does not say how large one part of a split model is does not keep the others from being shown', async () => {
  vi.useFakeTimers();
  for (const part of [1, 2]) addFile(`/big-0000${part}-of-00002.gguf`, splitGgufFile(part, 2));
  server.faults.push({ file: 'big-00002-of-00002.gguf', kind: 'silence' });
  const looking = inspect('https://models.test/big-00001-of-00002.gguf');
  const shown = vi.fn<(source: unknown) => void>();
  void looking.then(shown);
  await vi.advanceTimersByTimeAsync(60_000);
  vi.useRealTimers();
  expect(shown).toHaveBeenCalledWith(
    expect.objectContaining({ id: 'big', gguf: expect.objectContaining({ bytes: null }) }),
  );
});

test('a fragment is no part of the address of a file', async () => {
  addFile('/x.gguf');
  expect(await inspect('https://models.test/x.gguf?a=/b#c')).toMatchObject({
    modelUrl: 'https://models.test/x.gguf?a=/b',
  });
});

test('a repository that has BF16 only has no F16', async () => {
  server.files.set(
    '/api/models/someone/small/tree/main',
    new TextEncoder().encode(JSON.stringify([{ path: 'm-BF16.gguf' }])),
  );
  await expect(inspect('hf:someone/small:F16')).rejects.toMatchObject({
    message: expect.stringMatching(/no GGUF file F16.*m-BF16\.gguf/),
  });
});

test('a quantization that a repository lacks is refused with the available ones', async () => {
  server.files.set('/api/models/someone/small/tree/main', TREE);
  await expect(inspect('hf:someone/small:Q2_K')).rejects.toMatchObject({
    message: expect.stringMatching(/no GGUF file Q2_K\. It has: small-Q8_0\.gguf, small-Q4_K_M\.gguf/),
  });
});

test.each(['', 'x.gguf', 'ftp://x.test/x.gguf', 'javascript:alert(1)', 'hf:someone'])(
  'the text %j is not an address',
  async (typed) => {
    await expect(inspect(typed)).rejects.toMatchObject({
      code: 'invalid_value',
      message: expect.stringMatching(/not an address/),
    });
  },
);

test('a missing file and a web page in its place are distinguished', async () => {
  await expect(inspect('https://models.test/none.gguf')).rejects.toMatchObject({ failure: { cause: 'http' } });
  server.files.set('/page.gguf', new TextEncoder().encode('<!doctype html>'));
  await expect(inspect('https://models.test/page.gguf')).rejects.toMatchObject({
    message: expect.stringMatching(/not a GGUF file/),
  });
});

/** A device about whose main memory nothing is known, with 64-bit memories in WebAssembly. */
const UNLIMITED = { deviceMemory: null, isCompat: false };

const FACTS: GgufFacts = {
  architecture: 'qwen3',
  name: null,
  licence: null,
  parameters: 6e8,
  quantization: 'Q4_K_M',
  contextLength: 40_960,
  hasChatTemplate: true,
  bytes: 4e8,
  cacheBytesPerToken: 1e5,
  sha256: null,
};

test.each([
  ['fits', {}, { deviceMemory: 8e9 }, 'yes', /^$/],
  ['is too large for WebAssembly', { bytes: 4.5e9 }, {}, 'no', /5\.1 GB.*at most 4\.3 GB/],
  ['is too large for a 32-bit memory', { bytes: 2e9 }, { isCompat: true }, 'no', /2\.6 GB.*at most 2\.1 GB/],
  [
    'has sliding attention',
    { bytes: 2e9, cacheBytesPerToken: 1e4, slidingCacheBytes: 5e8 },
    { isCompat: true },
    'no',
    /2\.8 GB.*at most 2\.1 GB/,
  ],
  ['fits into a 32-bit memory', {}, { isCompat: true }, 'yes', /^$/],
  ['may be too large for the device', { bytes: 2e9 }, { deviceMemory: 4e9 }, 'doubtful', /2\.6 GB of memory/],
  ['computes embeddings', { embedding: { dimensions: 768 }, hasChatTemplate: false, parameters: 4e9 }, {}, 'yes', /^$/],
  ['ranks documents', { embedding: { dimensions: 1, ranks: true }, hasChatTemplate: false }, {}, 'yes', /^$/],
  ['accepts images only', { architecture: 'clip' }, {}, 'no', /sees images/],
  ['has no chat template', { hasChatTemplate: false }, {}, 'doubtful', /only continue texts/],
] as const)('a model that %s', (_, facts, limits, verdict, reasons) => {
  const fit = ggufFit({ ...FACTS, ...facts }, 4096, { ...UNLIMITED, ...limits });
  expect(fit.verdict).toBe(verdict);
  expect(fit.reasons.join(' ')).toMatch(reasons);
});

test('sliding attention takes memory from each request at once, not from each token', () => {
  const sliding = { ...FACTS, bytes: 1e9, cacheBytesPerToken: 1e5, slidingCacheBytes: 2e8 };
  const spare = 2 * 2 ** 30 - 1e9 - 200 * 2 ** 20;
  const limits = { ...UNLIMITED, isCompat: true };
  expect(ggufMostWindow(sliding, limits, 1)).toBe(Math.floor((spare - 2e8) / 1e5));
  expect(ggufMostWindow(sliding, limits, 2)).toBe(Math.floor((spare / 2 - 2e8) / 1e5));
  expect(ggufMostParallel(sliding, 1000, limits)).toBe(Math.floor(spare / (1e8 + 2e8)));
});
