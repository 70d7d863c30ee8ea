import { expect, onTestFinished, test, vi } from 'vitest';
import type { LoadingProgress } from '../../../../src/shared/engine/engine.ts';
import { BUILT_IN_MODEL_ID } from '../../../../src/shared/models/built-in-models.ts';
import { withAbort } from '../../../../src/shared/timeout.ts';
import { createWebLlmEngine } from '../../../../src/engine-worker/webllm/create-webllm-engine.ts';
import { engineLibraryUrl, engineModelUrl } from '../../../../src/engine-worker/models/package/package-address.ts';
import { ask, loadedEngine, OFFLINE, SILENT, SITE, testEngine, type TestEngine } from '../support/test-engine.ts';

const never = () => new AbortController().signal;
const load = ({ engine, entry }: TestEngine, signal = never()) => engine.load(entry, () => {}, signal);
const FILES = ['library.wasm', 'mlc-chat-config.json', 'params_shard_0.bin', 'tensor-cache.json', 'tokenizer.json'];

function webLlmError(name: string, message = name): Error {
  return Object.assign(new Error(message), { name });
}

test('loading progress goes from the first file to the end, never backwards', async () => {
  const test = await testEngine();
  const told: LoadingProgress[] = [];
  await test.engine.load(test.entry, (progress) => told.push(progress), never());
  const shares = told.map(({ progress }) => progress);
  expect(shares).toEqual(shares.toSorted((a, b) => a - b));
  expect(told.at(-1)).toMatchObject({ progress: 1, text: 'The model is ready' });
  expect(told.some(({ text }) => /^Downloading the model, \d+\.\d of \d+\.\d MB$/.test(text))).toBe(true);
  expect(test.engine.loadedModel).toBe('scripted');
  expect(test.fetched.toSorted()).toEqual(FILES);
});

test('a model from another server is fetched once, and its server is never contacted again', async () => {
  const entry = { modelUrl: 'https://models.test/scripted/', libraryUrl: 'https://models.test/scripted/library.wasm' };
  const test = await loadedEngine({ entry });
  test.fetched.length = 0;
  const texts: string[] = [];
  await test.engine.load(test.entry, ({ text }) => texts.push(text), never());
  expect(test.fetched).toEqual([]);
  expect(texts.join()).not.toContain('Downloading');
});

test("a model on the site's own server is updated with the site", async () => {
  const test = await loadedEngine();
  test.fetched.length = 0;
  await load(test);
  expect(test.fetched).not.toContain('params_shard_0.bin');
  test.fetched.length = 0;
  test.files.set('params_shard_0.bin', 'new!');
  test.files.set(
    'tensor-cache.json',
    JSON.stringify({ version: 2, records: [{ dataPath: 'params_shard_0.bin', nbytes: 4 }] }),
  );
  await load(test);
  expect(test.fetched).toContain('params_shard_0.bin');
  const cached = await (await caches.open('webllm/model')).match(`${SITE}/scripted/params_shard_0.bin`);
  expect(await cached?.text()).toBe('new!');
});

test("a model on the site's own server stays unchanged if the server sends only a part of its update", async () => {
  const test = await loadedEngine({ replies: [['ok']] });
  test.files.set('mlc-chat-config.json', `${test.files.get('mlc-chat-config.json')} `);
  test.files.set('tensor-cache.json', OFFLINE);
  await load(test);
  expect((await ask(test.engine, 'x')).choices[0]?.content).toBe('ok');
});

test("a model on the site's own server works offline", async () => {
  const test = await loadedEngine({ replies: [['ok']] });
  for (const name of FILES) test.files.set(name, OFFLINE);
  await load(test);
  expect((await ask(test.engine, 'x')).choices[0]?.content).toBe('ok');
});

test("a model on the site's own server loads from the cache if the server accepts requests but never responds", async () => {
  const test = await loadedEngine({ replies: [['ok']] });
  for (const name of FILES) test.files.set(name, SILENT);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const loading = load(test);
  for (let second = 0; second < 60; second++) await vi.advanceTimersByTimeAsync(1000);
  await loading;
  vi.useRealTimers();
  expect((await ask(test.engine, 'x')).choices[0]?.content).toBe('ok');
});

test.each<[string, string, string | null]>([
  ['a missing file', 'tokenizer.json', null],
  ['a server that does not respond', 'tensor-cache.json', OFFLINE],
  ['an HTML page instead of the library', 'library.wasm', '<!doctype html>'],
  ['an HTML page instead of the configuration', 'mlc-chat-config.json', '<!doctype html>'],
  [
    'a configuration without a template',
    'mlc-chat-config.json',
    JSON.stringify({ tokenizer_files: ['tokenizer.json'], context_window_size: 1, vocab_size: 1 }),
  ],
  ['a configuration with another structure', 'mlc-chat-config.json', '[]'],
  ['a list of weights with another structure', 'tensor-cache.json', '{"records": [1]}'],
  ['a broken tokenizer', 'tokenizer.json', '{"added_tokens": ['],
  ['a tokenizer with another structure', 'tokenizer.json', '{"added_tokens": 3}'],
  ['too few bytes', 'params_shard_0.bin', 'bit'],
  ['too many bytes', 'params_shard_0.bin', 'bits and pieces'],
])(
  '%s fails the load, the message names the file, and the next attempt succeeds',
  { timeout: 60_000 },
  async (_name, file, content) => {
    const test = await testEngine({ replies: [['ok']] });
    const whole = test.files.get(file) ?? '';
    if (content === null) test.files.delete(file);
    else test.files.set(file, content);
    await expect(load(test)).rejects.toMatchObject({
      code: 'model_load_failed',
      message: expect.stringContaining(file),
    });
    expect(test.engine.loadedModel).toBeNull();
    test.files.set(file, whole);
    await load(test);
    expect((await ask(test.engine, 'x')).choices[0]?.content).toBe('ok');
  },
);

test('a load fails with gpu_device_lost and a retry time if a GPU was found before and none is found now', async () => {
  const test = await testEngine({
    isGpuGone: async () => true,
    async onReload() {
      throw new Error('Unable to find a compatible GPU.');
    },
  });
  await expect(load(test)).rejects.toMatchObject({
    code: 'gpu_device_lost',
    message: expect.stringContaining('crashed'),
    retryAfter: expect.any(Number),
  });
});

test.each([
  ['WebGPUNotAvailableError', 'x', 'gpu_unavailable'],
  ['Error', 'Unable to find a compatible GPU. This issue might be …', 'gpu_unavailable'],
  [
    'Error',
    'Cannot initialize runtime because of requested maxBufferSize exceeds limit. requested=256MB',
    'gpu_unavailable',
  ],
  ['ShaderF16SupportError', 'x', 'gpu_unavailable'],
  ['FeatureSupportError', 'x', 'gpu_unavailable'],
  ['DeviceLostError', 'x', 'model_load_failed'],
  ['LinkError', 'x', 'model_load_failed'],
  ['Error', 'Cannot find parameter', 'model_load_failed'],
])('WebLLM failing with %s (%s) is %s, with a remedy, and the next load works', async (name, message, code) => {
  let failing = true;
  const test = await testEngine({
    replies: [['ok']],
    async onReload() {
      if (failing) throw webLlmError(name, message);
    },
  });
  await expect(load(test)).rejects.toMatchObject({
    code,
    status: 503,
    message: expect.not.stringContaining(`${name}: ${message}`),
  });
  expect(test.engine.loadedModel).toBeNull();
  failing = false;
  await load(test);
  expect((await ask(test.engine, 'x')).choices[0]?.content).toBe('ok');
});

test.each([
  "WebAssembly.instantiate(): Compiling or instantiating WebAssembly module violates the following Content Security policy directive because neither 'wasm-eval' nor 'unsafe-eval' is an allowed source of script",
  'call to WebAssembly.instantiate() blocked by CSP',
  "Refused to create a WebAssembly object because 'unsafe-eval' or 'wasm-unsafe-eval' is not an allowed source of script",
])('a policy that forbids WebAssembly is named, with the missing source: %s', async (message) => {
  const test = await testEngine({
    async onReload() {
      throw webLlmError('CompileError', message);
    },
  });
  await expect(load(test)).rejects.toMatchObject({
    code: 'model_load_failed',
    message: expect.stringMatching(/'wasm-unsafe-eval' to its script-src/),
  });
});

test('a tokenizer file that makes its parser trap is named and fetched again; a later trap is not blamed on it', async () => {
  let failing: 'at the tokenizer' | 'after the weights' | null = 'at the tokenizer';
  const test = await testEngine({
    replies: [['ok']],
    async onReload(engine) {
      if (failing === 'after the weights') {
        engine.getInitProgressCallback()?.({ progress: 1, timeElapsed: 0, text: 'Fetching param cache' });
      }
      if (failing !== null) throw webLlmError('RuntimeError', 'unreachable');
    },
  });
  const tokenizer = expect.stringContaining('tokenizer.json');
  await expect(load(test)).rejects.toMatchObject({ code: 'model_load_failed', message: tokenizer });
  const cache = await caches.open('webllm/model');
  expect(await cache.match(`${SITE}/scripted/tokenizer.json`)).toBeUndefined();
  failing = 'after the weights';
  await expect(load(test)).rejects.toMatchObject({ message: expect.stringContaining('library') });
  expect(await cache.match(`${SITE}/scripted/tokenizer.json`)).toBeDefined();
  failing = null;
  await load(test);
  expect((await ask(test.engine, 'x')).choices[0]?.content).toBe('ok');
});

test('a damaged stored file is found, named and fetched again', async () => {
  let failing = false;
  const test = await loadedEngine({
    replies: [['ok']],
    async onReload() {
      if (failing) throw new Error('Cannot find parameter');
    },
  });
  const cache = await caches.open('webllm/wasm');
  await cache.put(`${SITE}/scripted/library.wasm`, new Response('bits'));
  for (const name of FILES) test.files.set(name, OFFLINE);
  failing = true;
  await expect(load(test)).rejects.toMatchObject({
    code: 'model_load_failed',
    message: expect.stringContaining('library.wasm'),
  });
  expect(await cache.match(`${SITE}/scripted/library.wasm`)).toBeUndefined();
  failing = false;
  test.files.set('library.wasm', '\0asm');
  await load(test);
  expect((await ask(test.engine, 'x')).choices[0]?.content).toBe('ok');
});

test.each(['CompileError', 'LinkError'])(
  'a stored library that WebAssembly refuses (%s) is fetched again in the same load',
  async (name) => {
    const entry = {
      modelUrl: 'https://models.test/scripted/',
      libraryUrl: 'https://models.test/scripted/library.wasm',
    };
    const cached = async () => (await caches.open('webllm/wasm')).match(entry.libraryUrl);
    const test = await loadedEngine({
      entry,
      replies: [['ok']],
      async onReload() {
        if ((await (await cached())?.text()) !== '\0asm') throw webLlmError(name, 'not a library');
      },
    });
    await (await caches.open('webllm/wasm')).put(entry.libraryUrl, new Response('\0asm, damaged'));
    test.fetched.length = 0;
    await load(test);
    expect(test.fetched).toEqual(['library.wasm']);
    expect((await ask(test.engine, 'x')).choices[0]?.content).toBe('ok');
    test.files.set('library.wasm', '\0asm, damaged on the server');
    await (await caches.open('webllm/wasm')).delete(entry.libraryUrl);
    test.fetched.length = 0;
    await expect(load(test)).rejects.toMatchObject({
      code: 'model_load_failed',
      message: expect.stringContaining('library'),
    });
    expect(test.fetched).toEqual(['library.wasm']);
    expect(await cached()).toBeUndefined();
  },
);

test('an engine that cannot be fetched fails the load, and a retry may help', async () => {
  const { entry } = await testEngine();
  const engine = createWebLlmEngine({ loadWebLlm: () => Promise.reject(new TypeError('Failed to fetch')) });
  await expect(engine.load(entry, () => {}, never())).rejects.toMatchObject({
    code: 'engine_unavailable',
    retryAfter: expect.any(Number),
  });
});

test("the built-in model's files are checked while the engine is fetched", async () => {
  const { entry, fetched } = await testEngine();
  const gone = new AbortController();
  const engine = createWebLlmEngine({ loadWebLlm: () => withAbort(new Promise<never>(() => {}), gone.signal) });
  const loading = engine.load({ ...entry, id: BUILT_IN_MODEL_ID }, () => {}, never());
  await vi.waitFor(() => expect(fetched).toContain('tokenizer.json'));
  gone.abort(new TypeError('Failed to fetch'));
  await expect(loading).rejects.toMatchObject({ code: 'engine_unavailable' });
});

test('an abort during the download rejects with its reason and leaves no model loaded', async () => {
  const test = await testEngine();
  const controller = new AbortController();
  const reason = new Error('enough');
  const loading = test.engine.load(test.entry, () => controller.abort(reason), controller.signal);
  await expect(loading).rejects.toBe(reason);
  expect(test.engine.loadedModel).toBeNull();
  expect(test.engines).toEqual([]);
  await load(test);
  expect(test.engine.loadedModel).toBe('scripted');
});

test('an abort while the weights are uploaded to the GPU frees them and rejects', async () => {
  const controller = new AbortController();
  const test = await testEngine({
    async onReload() {
      controller.abort(new Error('enough'));
    },
  });
  await expect(load(test, controller.signal)).rejects.toThrow('enough');
  expect(test.engine.loadedModel).toBeNull();
  await expect(test.engines[0]?.getMessage('scripted')).rejects.toMatchObject({ name: 'ModelNotLoadedError' });
});

test('a load that WebLLM gave up without an error does not count as loaded', async () => {
  const test = await testEngine({ onReload: async () => false });
  await expect(load(test)).rejects.toMatchObject({ code: 'model_load_failed' });
  expect(test.engine.loadedModel).toBeNull();
});

test('another model replaces the first, which is freed before', async () => {
  const test = await loadedEngine();
  const unload = vi.spyOn(test.engines[0] as object as { unload(): Promise<void> }, 'unload');
  await test.engine.load({ ...test.entry, id: 'other' }, () => {}, never());
  expect(test.engine.loadedModel).toBe('other');
  await expect(test.engines[0]?.getMessage('scripted')).rejects.toMatchObject({ name: 'ModelNotLoadedError' });
  expect(unload).not.toHaveBeenCalled();
});

test('after unload nothing is loaded, and a generation says so', async () => {
  const { engine } = await loadedEngine();
  await engine.unload();
  await engine.unload();
  expect(engine.loadedModel).toBeNull();
  await expect(ask(engine, 'x')).rejects.toMatchObject({ code: 'model_not_loaded' });
});

test.each([
  'https://site.test/models/pocket/',
  'http://localhost:4173/a/b/',
  'https://huggingface.co/a/b/resolve/main/',
])('WebLLM looks for the files of %s at exactly that address', (address) => {
  const forWebLlm = engineModelUrl(address);
  expect(forWebLlm).toMatch(/.+\/resolve\/.+\//);
  expect(new URL(forWebLlm).href).toBe(address);
});

test('a library on localhost is cached like any other', () => {
  const address = 'http://localhost:4173/models/pocket/pocket.wasm';
  expect(engineLibraryUrl(address)).not.toContain('localhost');
  expect(new URL(engineLibraryUrl(address)).href).toBe(address);
});
