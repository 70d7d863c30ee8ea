import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createLlamaCppEngine } from '../../../src/engine-worker/llama-cpp/create-llama-cpp-engine.ts';
import type { WllamaModule } from '../../../src/shared/models/create-wllama.ts';
import type { GenerationEvent } from '../../../src/shared/engine/completion-event.ts';
import type { EmbeddingInputs } from '../../../src/shared/engine/completion-request.ts';
import type { Engine } from '../../../src/shared/engine/engine.ts';
import type { ModelEntry } from '../../../src/shared/models/model-entry.ts';
import { readSiteModels } from '../../../src/shared/models/site-models.ts';
import { completionRequest } from '../../support/fakes/completion-request.ts';
import { fakePageWorker, type FakePageWorker } from '../../support/fakes/page-worker.ts';
import { BareWllama } from '../../support/fakes/bare-wllama.ts';
import { ggufFile, type GgufEntries } from '../../support/samples/gguf-file.ts';

const SITE = 'https://site.test/';
const [CHAT, COMPARES, RANKS] = readSiteModels(
  {
    models: [
      { id: 'chat', gguf: 'chat.gguf' },
      { id: 'compares', gguf: 'compares.gguf', contextWindow: 512, embedding: { dimensions: 3 } },
      { id: 'ranks', gguf: 'ranks.gguf', embedding: { dimensions: 1, ranks: true } },
    ],
    builtInModels: [],
  },
  SITE,
).entries as [ModelEntry, ModelEntry, ModelEntry];
const ENCODER: GgufEntries = { 'general.architecture': 'bert', 'bert.pooling_type': 2, 'bert.embedding_length': 3 };
const RANKER: GgufEntries = { ...ENCODER, 'bert.pooling_type': 4 };

let loaded: Record<string, unknown>[];
let asked: unknown[];
let workers: FakePageWorker[];
/** Returns llama.cpp's embedding of an input. */
let embed: (input: string | number[]) => Promise<readonly number[]>;
/** Returns llama.cpp's rank of a document. */
let rank: (document: string) => Promise<number>;

class FakeWllama extends BareWllama {
  override async loadModel(_: unknown, parameters: Record<string, unknown>): Promise<void> {
    loaded.push(parameters);
  }
  async createEmbedding({ input }: { readonly input: string | number[] }): Promise<object> {
    asked.push(input);
    return { data: [{ embedding: await embed(input) }], usage: { prompt_tokens: input.length } };
  }
  async createRerank({ query, documents }: { readonly query: string; readonly documents: [string] }): Promise<object> {
    asked.push([query, documents]);
    const results = [{ index: 0, relevance_score: await rank(documents[0]) }];
    return { results, usage: { prompt_tokens: query.length + documents[0].length } };
  }
}

beforeEach(() => {
  [loaded, asked, workers] = [[], [], []];
  embed = async (input) => [3, 4 * input.length, 0];
  rank = async (document) => -document.length;
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** @param file Values in the header of the embedding model's file. */
function start({ file = ENCODER, deviceMemory = 2 ** 33, gpu = null as string | null } = {}): Engine {
  vi.stubGlobal('Worker', undefined);
  return createLlamaCppEngine({
    folder: () => `${SITE}llama-cpp/`,
    isCompat: false,
    openFiles: async ({ id }) => [new Blob([ggufFile(id === 'chat' ? {} : file)])],
    keepFiles: async () => {},
    importWllama: async () => ({ Wllama: FakeWllama }) as unknown as WllamaModule,
    deviceMemory,
    startWorker: async () => {
      const worker = fakePageWorker({ gpu });
      workers.push(worker);
      return worker;
    },
  });
}

const load = (engine: Engine, entry: ModelEntry) => engine.load(entry, () => {}, new AbortController().signal);

async function started(options: Parameters<typeof start>[0] = {}): Promise<Engine> {
  const engine = start(options);
  await load(engine, COMPARES);
  return engine;
}

const request = (inputs: EmbeddingInputs['inputs'], dimensions: number | null = null) => ({
  ...completionRequest('', 'compares'),
  messages: [],
  embed: { inputs, dimensions },
});

async function events(engine: Engine, ...inputs: Parameters<typeof request>): Promise<readonly GenerationEvent[]> {
  const all: GenerationEvent[] = [];
  for await (const event of engine.generate(request(...inputs), new AbortController().signal)) all.push(event);
  return all;
}

test('each input gets a vector of length 1, and the longest is computed first', async () => {
  const all = await events(await started(), ['a', 'abc', 'ab']);
  expect(asked).toEqual(['abc', 'ab', 'a']);
  const vectors = all.flatMap((event) => (event.type === 'delta' ? [[event.choice, ...event.embedding!]] : []));
  expect(vectors[2]).toEqual([0, expect.closeTo(0.6), expect.closeTo(0.8), 0]);
  expect(vectors.map(([choice]) => choice)).toEqual([1, 2, 0]);
  expect(all[0]).toEqual({ type: 'prefill', engine: 'llama.cpp; cpu; threads=4' });
  expect(all.at(-1)).toEqual({
    type: 'done',
    usage: { promptTokens: 6, completionTokens: 0, cachedTokens: 0, reasoningTokens: 0 },
  });
});

test('halves of characters, which llama.cpp refuses, are replaced in inputs, queries and documents', async () => {
  await events(await started(), ['x\ud83d']);
  const ranking = start({ file: RANKER });
  await load(ranking, RANKS);
  await events(ranking, ['\ud83d', '🦊\ude00']);
  expect(asked).toEqual(['x\ufffd', ['\ufffd', ['🦊\ufffd']]]);
});

test('a shortened vector has length 1 again', async () => {
  const all = await events(await started(), ['a'], 1);
  expect(all[1]).toEqual({ type: 'delta', choice: 0, embedding: Float32Array.of(1) });
});

test('an embedding model uses the pooling that its file states, computes a whole window in one step, and runs on the CPU', async () => {
  await started({ gpu: 'a graphics card' });
  expect(loaded).toEqual([
    expect.objectContaining({
      embeddings: true,
      pooling_type: 'cls',
      n_ctx: 512,
      n_batch: 512,
      n_ubatch: 512,
      n_gpu_layers: 0,
    }),
  ]);
  // Only chat models have a KV cache.
  expect(loaded[0]).not.toHaveProperty('cache_type_k');
  expect(loaded[0]).not.toHaveProperty('flash_attn');
});

test.each([
  ['input (700 tokens) is too large to process. increase the physical batch size', 'resulted in 700 tokens'],
  ['input (700 tokens) is larger than the max context size (512 tokens). skipping', 'resulted in 700 tokens'],
  ['Prompt contains invalid tokens', 'invalid tokens'],
])('an error of llama.cpp about an input names the input: %s', async (message, expected) => {
  const engine = await started();
  embed = () => Promise.reject(new Error(message));
  await expect(events(engine, ['a', 'too long'])).rejects.toMatchObject({
    status: 400,
    param: 'input[1]',
    message: expect.stringContaining(expected),
  });
});

test.each<[string, GgufEntries, ModelEntry, RegExp]>([
  [
    'an embedding model that is named as a chat model',
    ENCODER,
    { ...COMPARES, embedding: undefined! },
    /"dimensions":3/,
  ],
  ['a reranking model that is named as an embedding model', RANKER, COMPARES, /"ranks":true/],
  ['wrong dimensions', ENCODER, { ...COMPARES, embedding: { dimensions: 4 } }, /"dimensions":3/],
  ['a chat model that is named as an embedding model', {}, COMPARES, /computes no embeddings/],
])('%s is refused when its file is read, with a remedy', async (_, file, entry, message) => {
  const engine = start({ file });
  await expect(load(engine, entry)).rejects.toMatchObject({ code: 'model_load_failed', message });
  expect(workers).toEqual([]);
});

test('a reranking model gives each document a score, and names the one that is too long', async () => {
  const engine = start({ file: RANKER });
  await load(engine, RANKS);
  expect(loaded[0]).toMatchObject({ embeddings: true, pooling_type: 'rank' });
  const all = await events(engine, ['query', 'a', 'abc']);
  expect(asked).toEqual([
    ['query', ['abc']],
    ['query', ['a']],
  ]);
  expect(all.filter(({ type }) => type === 'delta')).toEqual([
    { type: 'delta', choice: 2, embedding: Float32Array.of(-3) },
    { type: 'delta', choice: 1, embedding: Float32Array.of(-1) },
  ]);
  expect(all.at(-1)).toMatchObject({ type: 'done', usage: { promptTokens: 14 } });
  rank = () => Promise.reject(new Error('input (700 tokens) is too large to process'));
  await expect(events(engine, ['query', 'a', 'abc'])).rejects.toMatchObject({ status: 400, param: 'documents[1]' });
});

test('a chat model stays loaded beside an embedding model if there is memory for both', async () => {
  const engine = start();
  await load(engine, CHAT);
  await load(engine, COMPARES);
  expect([engine.loadedModel, engine.loadedEmbeddingModel]).toEqual(['chat', 'compares']);
  await engine.unload('chat');
  expect([engine.loadedModel, engine.loadedEmbeddingModel]).toEqual([null, 'compares']);
  await engine.unload();
  expect(workers.map(({ lost }) => lost.aborted)).toEqual([true, true]);
});

test('a chat model and an embedding model replace each other if memory is short', async () => {
  const engine = start({ deviceMemory: 2 ** 29 });
  await load(engine, CHAT);
  await load(engine, COMPARES);
  expect([engine.loadedModel, engine.loadedEmbeddingModel]).toEqual([null, 'compares']);
  await load(engine, CHAT);
  expect([engine.loadedModel, engine.loadedEmbeddingModel]).toEqual(['chat', null]);
});

test('after an abort the running input is finished, and no other is begun', async () => {
  const engine = await started();
  const abort = new AbortController();
  const iterator = engine.generate(request(['a', 'b']), abort.signal)[Symbol.asyncIterator]();
  await iterator.next();
  let finish!: (vector: readonly number[]) => void;
  embed = () => new Promise((resolve) => (finish = resolve));
  const next = iterator.next();
  abort.abort(new Error('enough'));
  finish([1, 0, 0]);
  await expect(next).rejects.toThrow('enough');
  expect(asked).toEqual(['a']);
  expect(engine.loadedEmbeddingModel).toBe('compares');
});

test('an input that is still computed two seconds after an abort is ended by terminating the worker', async () => {
  const engine = await started();
  vi.useFakeTimers();
  const abort = new AbortController();
  const iterator = engine.generate(request(['a']), abort.signal)[Symbol.asyncIterator]();
  await iterator.next();
  embed = () => new Promise(() => {});
  const failure = iterator.next().catch((thrown: unknown) => thrown);
  abort.abort(new Error('enough'));
  await vi.advanceTimersByTimeAsync(1999);
  expect(engine.loadedEmbeddingModel).toBe('compares');
  await vi.advanceTimersByTimeAsync(1);
  expect(await failure).toEqual(new Error('enough'));
  expect(engine.loadedEmbeddingModel).toBeNull();
});

test('a page that is closed while an input is computed fails the request, and the model is lost', async () => {
  const engine = await started();
  embed = () => new Promise(() => {});
  const computing = events(engine, ['a']);
  await vi.waitFor(() => expect(asked).toHaveLength(1));
  workers[0]!.lose();
  await expect(computing).rejects.toMatchObject({ code: 'engine_unavailable' });
  expect(engine.loadedEmbeddingModel).toBeNull();
});
