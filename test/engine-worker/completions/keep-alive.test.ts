import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Completions } from '../../../src/engine-worker/completions/completions.ts';
import { EngineByFormat } from '../../../src/engine-worker/engine-by-format.ts';
import { createLlamaCppEngine } from '../../../src/engine-worker/llama-cpp/create-llama-cpp-engine.ts';
import type { WllamaModule } from '../../../src/shared/models/create-wllama.ts';
import { builtInModel } from '../../../src/shared/models/built-in-models.ts';
import type { CompletionRequest } from '../../../src/shared/engine/completion-request.ts';
import type { ModelEntry } from '../../../src/shared/models/model-entry.ts';
import { readSiteModels } from '../../../src/shared/models/site-models.ts';
import { completionRequest } from '../../support/fakes/completion-request.ts';
import { memoryGpuChecks } from '../../support/fakes/memory-gpu-checks.ts';
import { fakePageWorker, type FakePageWorker } from '../../support/fakes/page-worker.ts';
import { ScriptedEngine } from '../../support/fakes/scripted-engine.ts';
import { BareWllama } from '../../support/fakes/bare-wllama.ts';
import { ggufFile } from '../../support/samples/gguf-file.ts';

const SITE = 'https://site.test/';
const MINUTE = 60_000;

/** What the entries state, by the model's id. */
let keepAlive: Record<string, number>;

function model(id: string): ModelEntry {
  return {
    ...builtInModel(SITE),
    id,
    ...(id === 'vectors' && { embedding: { dimensions: 2 } }),
    ...(id in keepAlive && { keepAlive: keepAlive[id]! }),
  };
}

let engine: ScriptedEngine;
let completions: Completions;
let count: number;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  keepAlive = {};
  count = 0;
  engine = new ScriptedEngine();
  completions = new Completions({ engine, findModel: async (id) => model(id) });
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function ask(id: string, text = 'one', fields: Partial<CompletionRequest> = {}): void {
  const embed = id === 'vectors' ? { inputs: [text], dimensions: null } : null;
  const request = { ...completionRequest(text, id), ...fields, ...(embed && { embed }) };
  completions.start(request as never, { requestId: `${count}`, fingerprint: `${count++}`, holdTime: null }, SITE);
}

/** Lets `milliseconds` pass, and the engine take the steps that are due. */
async function pass(milliseconds: number, steps = 2): Promise<void> {
  await vi.advanceTimersByTimeAsync(milliseconds);
  await engine.advance(steps);
}

test('a model is unloaded after the stated time without requests, the status says so, and the next request loads it', async () => {
  keepAlive = { a: 300 };
  ask('a');
  await engine.advance(13);
  expect(completions.status).toMatchObject({ state: 'ready', model: 'a' });
  await pass(4 * MINUTE);
  ask('a', 'two');
  await engine.advance(3);
  await pass(4.9 * MINUTE);
  expect(engine.loadedModel).toBe('a');
  await pass(0.2 * MINUTE);
  expect(engine.loadedModel).toBeNull();
  expect(completions.status).toEqual({ state: 'idle' });
  ask('a', 'three');
  await engine.advance(13);
  expect(engine.history).toEqual([
    'load a',
    'generate a: one',
    'generate a: two',
    'unload chat',
    'load a',
    'generate a: three',
  ]);
});

test.each([
  ['no time is stated', {}],
  ['the time is negative', { a: -1 }],
])('a model stays loaded if %s', async (_, stated) => {
  keepAlive = stated;
  ask('a');
  await engine.advance(13);
  await pass(2 ** 31);
  expect(engine.loadedModel).toBe('a');
});

test('a time of 0 unloads the model after each answer, but not between the answers of a queue', async () => {
  keepAlive = { a: 0 };
  ask('a', 'one');
  ask('a', 'two');
  await engine.advance(13);
  await pass(10, 3);
  await pass(2000);
  expect(engine.history).toEqual(['load a', 'generate a: one', 'generate a: two', 'unload chat']);
});

test('an answer that takes longer than the stated time is not interrupted', async () => {
  keepAlive = { a: 1 };
  ask('a', '1 2 3 4');
  await engine.advance(12);
  for (let second = 0; second < 20; second++) await vi.advanceTimersByTimeAsync(1000);
  expect(engine.loadedModel).toBe('a');
  await engine.advance(5);
  await pass(3000);
  expect(engine.history).toEqual(['load a', 'generate a: 1 2 3 4', 'unload chat']);
});

test('a model that was loaded in advance is unloaded too, if nothing is asked', async () => {
  keepAlive = { a: 60 };
  const loading = completions.preload(model('a'), SITE);
  await engine.advance(11);
  await loading;
  await pass(1.1 * MINUTE);
  expect(engine.history).toEqual(['load a', 'unload chat']);
});

test('each kind of model has its own time, and the status describes what stays loaded', async () => {
  keepAlive = { a: 60, vectors: 600 };
  ask('a');
  await engine.advance(13);
  ask('vectors');
  await engine.advance(13);
  expect(completions.status).toMatchObject({ state: 'ready', model: 'a', embeddingModel: 'vectors' });
  await pass(1.5 * MINUTE);
  expect(completions.status).toMatchObject({ state: 'ready', model: 'vectors', embeddingModel: 'vectors' });
  await pass(10 * MINUTE);
  expect(completions.status).toEqual({ state: 'idle' });
  expect(engine.history.slice(-2)).toEqual(['unload chat', 'unload embedding']);
});

test('the embedding model is unloaded without losing what the status says about the chat model', async () => {
  keepAlive = { vectors: 60 };
  ask('a');
  await engine.advance(13);
  ask('vectors');
  await engine.advance(13);
  await pass(1.5 * MINUTE);
  expect(completions.status).toMatchObject({ state: 'ready', model: 'a', promptCache: { promptTokens: 1 } });
  expect(completions.status).not.toHaveProperty('embeddingModel');
});

test('a model that becomes unused while another one answers is unloaded afterwards, and holds no request up', async () => {
  keepAlive = { vectors: 1 };
  ask('a');
  await engine.advance(13);
  ask('vectors');
  await engine.advance(13);
  engine.parallel = 2;
  ask('a', '1 2 3 4 5 6');
  await engine.advance();
  await vi.advanceTimersByTimeAsync(1500);
  ask('a', 'beside');
  await engine.advance(8);
  await pass(1500);
  expect(engine.history.slice(-3)).toEqual(['generate a: 1 2 3 4 5 6', 'generate a: beside', 'unload embedding']);
  expect(engine.mostRunning).toBe(2);
});

test('a model that was unloaded meanwhile is not unloaded once more', async () => {
  keepAlive = { a: 60 };
  ask('a');
  await engine.advance(13);
  await completions.unload();
  await pass(2 * MINUTE);
  expect(engine.history).toEqual(['load a', 'generate a: one', 'unload']);
});

test('a model that was replaced meanwhile does not take the next one with it', async () => {
  keepAlive = { a: 60 };
  ask('a');
  await engine.advance(13);
  ask('b');
  await engine.advance(13);
  await pass(2 * MINUTE);
  expect(engine.loadedModel).toBe('b');
});

test('unloading a GGUF model ends the worker of the page that held its memory, and the next request starts another', async () => {
  vi.stubGlobal('Worker', undefined);
  vi.stubGlobal('navigator', { userAgent: 'Chrome/156' });
  const workers: FakePageWorker[] = [];
  class FakeWllama extends BareWllama {
    createChatCompletion = async () =>
      (async function* () {
        yield { choices: [{ delta: { content: 'Hi' }, finish_reason: 'stop' }] };
      })();
    createCompletion = async () =>
      (async function* () {
        yield { choices: [{ text: 'Hi', finish_reason: 'stop' }] };
      })();
  }
  const llamaCpp = createLlamaCppEngine({
    folder: () => `${SITE}llama-cpp/`,
    isCompat: false,
    openFiles: async () => [new Blob([ggufFile()])],
    keepFiles: async () => {},
    gpuChecks: memoryGpuChecks(),
    importWllama: async () => ({ Wllama: FakeWllama }) as unknown as WllamaModule,
    startWorker: async () => {
      workers.push(fakePageWorker());
      return workers.at(-1)!;
    },
  });
  const options = { models: [{ id: 'small', gguf: 'small.gguf', keepAlive: 60 }], builtInModels: [] };
  const [entry] = readSiteModels(options, SITE).entries;
  const others = { webllm: engine, browser: new ScriptedEngine() };
  completions = new Completions({
    engine: new EngineByFormat({ ...others, llamaCpp, hasNoGpu: async () => false }),
    findModel: async () => entry!,
  });
  ask('small');
  await vi.waitFor(() => expect(completions.status).toMatchObject({ state: 'ready', model: 'small' }));
  await engine.advance(5);
  await pass(1.1 * MINUTE, 5);
  await vi.waitFor(() => expect(completions.status).toEqual({ state: 'idle' }));
  expect(workers.map(({ lost }) => lost.aborted)).toEqual([true]);
  ask('small', 'two');
  await vi.waitFor(() => expect(completions.status).toMatchObject({ state: 'ready', model: 'small' }));
  expect(workers.map(({ lost }) => lost.aborted)).toEqual([true, false]);
});

test.each([
  ['that the model shall stay', 60, -1, 'a'],
  ['that it shall be unloaded', -1, 60, null],
] as const)('a changed setting counts from then on: %s', async (_what, before, after, loaded) => {
  keepAlive = { a: before };
  ask('a');
  await engine.advance(13);
  keepAlive = { a: after };
  completions.keepAliveChanged(model('a'));
  await pass(1.1 * MINUTE);
  expect(engine.loadedModel).toBe(loaded);
});

test.each([
  ['an answer', (): void => ask('a', '1 2 3 4')],
  ['a load', (): void => void completions.load(model('a'), SITE)],
  ['a count of tokens', (): void => void completions.use(model('a'), SITE, () => {})],
] as const)('a setting that changes during %s counts after it', async (_what, use) => {
  for (const [before, after, loaded] of [
    [-1, 0, null],
    [0, -1, 'a'],
  ] as const) {
    keepAlive = { a: before };
    use();
    await engine.advance(5);
    keepAlive = { a: after };
    completions.keepAliveChanged(model('a'));
    await engine.advance(15);
    for (let second = 0; second < 5; second++) await pass(1000);
    expect(engine.loadedModel).toBe(loaded);
  }
});

test.each([
  ['sooner', 300, 60, 2, null],
  ['at once', 300, 0, 0.1, null],
  ['never', 300, -1, 60, 'a'],
  ['although the model itself stays', undefined, 60, 2, null],
] as const)('a request may let its model be unloaded %s', async (_what, own, keepAliveOfRequest, minutes, loaded) => {
  keepAlive = own === undefined ? {} : { a: own };
  ask('a', 'one', { keepAlive: keepAliveOfRequest });
  await engine.advance(13);
  await pass(minutes * MINUTE);
  expect(engine.loadedModel).toBe(loaded);
});

test('the time of a request ends with the next request', async () => {
  keepAlive = { a: 300 };
  ask('a', 'one', { keepAlive: -1 });
  await engine.advance(13);
  ask('a', 'two');
  await engine.advance(3);
  await pass(5.1 * MINUTE);
  expect(engine.loadedModel).toBeNull();
});
