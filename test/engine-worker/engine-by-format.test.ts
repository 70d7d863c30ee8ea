import { expect, test } from 'vitest';
import { Completions } from '../../src/engine-worker/completions/completions.ts';
import { EngineByFormat } from '../../src/engine-worker/engine-by-format.ts';
import { ApiError } from '../../src/shared/api-error.ts';
import type { GenerationEvent } from '../../src/shared/engine/completion-event.ts';
import type { CompletionRequest } from '../../src/shared/engine/completion-request.ts';
import type { Engine } from '../../src/shared/engine/engine.ts';
import type { ModelKind } from '../../src/shared/models/model-kind.ts';
import { readSiteModels } from '../../src/shared/models/site-models.ts';
import { completionRequest } from '../support/fakes/completion-request.ts';

const [POCKET, EMBED, SMALL, COMPARES] = readSiteModels(
  {
    models: [
      { id: 'small', gguf: 'a.gguf' },
      { id: 'compares', gguf: 'b.gguf', embedding: { dimensions: 2 } },
    ],
  },
  'https://site.test/',
).entries;

const BROWSERS_OWN = { ...POCKET!, id: 'browser', format: 'browser' } as const;

/** An engine whose answers contain its name. */
function named(name: string, place?: string) {
  const engine = {
    loadedModel: null as string | null,
    loadedEmbeddingModel: null as string | null,
    place,
    async load({ id, embedding }: { id: string; embedding?: object }) {
      if (embedding) engine.loadedEmbeddingModel = id;
      else engine.loadedModel = id;
    },
    async unload(kind?: ModelKind) {
      if (kind !== 'embedding') engine.loadedModel = null;
      if (kind !== 'chat') engine.loadedEmbeddingModel = null;
    },
    /** The requests that it got. */
    asked: [] as CompletionRequest[],
    async *generate(request: CompletionRequest): AsyncGenerator<GenerationEvent> {
      engine.asked.push(request);
      yield { type: 'prefill' };
      yield { type: 'delta', choice: 0, content: name };
    },
    tokenize: async () => [name.length],
    detokenize: () => name,
  };
  return engine satisfies Engine;
}

function start({ hasNoGpu = false } = {}) {
  const engines = {
    webllm: named('webllm'),
    llamaCpp: named('llama.cpp', 'llama.cpp; cpu; threads=1'),
    browser: named('browser', 'browser'),
  };
  return { ...engines, both: new EngineByFormat({ ...engines, hasNoGpu: async () => hasNoGpu }) };
}

const signal = new AbortController().signal;
const load = (engine: Engine, model: typeof POCKET) => engine.load(model!, () => {}, signal);

const EMBEDDING = { ...completionRequest('Hello'), embed: { inputs: ['a'], dimensions: null } };

async function answer(engine: Engine, request = completionRequest('Hello')): Promise<readonly GenerationEvent[]> {
  const events: GenerationEvent[] = [];
  for await (const event of engine.generate(request, signal)) events.push(event);
  return events;
}

test('each model runs on the engine for its format, which the answer names', async () => {
  const { both } = start();
  await load(both, POCKET);
  expect(await answer(both)).toEqual([{ type: 'prefill' }, { type: 'delta', choice: 0, content: 'webllm' }]);
  await load(both, SMALL);
  expect(await answer(both)).toEqual([
    { type: 'prefill', engine: 'llama.cpp; cpu; threads=1' },
    { type: 'delta', choice: 0, content: 'llama.cpp' },
  ]);
  expect(both.place).toBe('llama.cpp; cpu; threads=1');
});

test('one chat model is loaded at a time', async () => {
  const { both, webllm, llamaCpp, browser } = start();
  const loaded = () => [both, webllm, llamaCpp, browser].map(({ loadedModel }) => loadedModel);
  await load(both, POCKET);
  await load(both, SMALL);
  expect(loaded()).toEqual(['small', null, 'small', null]);
  await load(both, BROWSERS_OWN);
  expect(loaded()).toEqual(['browser', null, null, 'browser']);
  await load(both, SMALL);
  expect(loaded()).toEqual(['small', null, 'small', null]);
  await load(both, BROWSERS_OWN);
  await load(both, POCKET);
  expect(loaded()).toEqual(['pocket', 'pocket', null, null]);
});

test('an embedding model is loaded beside a GGUF model', async () => {
  const { both } = start();
  await load(both, SMALL);
  await load(both, EMBED);
  expect([both.loadedModel, both.loadedEmbeddingModel]).toEqual(['small', 'pocket-embed']);
  expect(await both.tokenize({ type: 'text', text: 'a', prefix: true, markers: true }, 'pocket-embed')).toEqual([6]);
  expect(both.detokenize([1])).toBe('llama.cpp');
});

test('a GGUF model computes embeddings beside any chat model, also without a graphics device', async () => {
  for (const hasNoGpu of [false, true]) {
    for (const chat of [POCKET, SMALL, BROWSERS_OWN]) {
      const { both } = start({ hasNoGpu });
      await load(both, chat);
      await load(both, COMPARES);
      expect([both.loadedModel, both.loadedEmbeddingModel]).toEqual([chat!.id, 'compares']);
      expect(await answer(both, EMBEDDING)).toContainEqual({ type: 'delta', choice: 0, content: 'llama.cpp' });
      await load(both, chat === SMALL ? POCKET : SMALL);
      expect(both.loadedEmbeddingModel).toBe('compares');
    }
  }
});

test.each([
  ['a GGUF model', SMALL!, false],
  ['a model that runs as GGUF here', POCKET!, true],
  ["the browser's own model", BROWSERS_OWN, false],
] as const)('no model is loaded to say that it shows no tokens: %s', async (_what, model, hasNoGpu) => {
  const shown = new ApiError('unsupported_value', 'It shows no tokens.');
  const silent = (name: string) => ({ ...named(name), requireTokenizer: () => Promise.reject(shown) });
  const engines = { webllm: named('webllm'), llamaCpp: silent('llama.cpp'), browser: silent('browser') };
  const engine = new EngineByFormat({ ...engines, hasNoGpu: async () => hasNoGpu });
  const completions = new Completions({ engine, findModel: async () => model });
  await expect(completions.use(model, 'https://site.test/', () => 'used')).rejects.toBe(shown);
  expect(engine.loadedModel).toBeNull();
});

test('one embedding model is loaded at a time', async () => {
  const { both, webllm, llamaCpp } = start();
  await load(both, EMBED);
  await load(both, COMPARES);
  expect([webllm.loadedEmbeddingModel, llamaCpp.loadedEmbeddingModel]).toEqual([null, 'compares']);
  expect(both.place).toBe('llama.cpp; cpu; threads=1');
  await load(both, EMBED);
  expect([webllm.loadedEmbeddingModel, llamaCpp.loadedEmbeddingModel]).toEqual(['pocket-embed', null]);
  expect(both.place).toBeUndefined();
  expect(await answer(both, EMBEDDING)).toContainEqual({ type: 'delta', choice: 0, content: 'webllm' });
});

test('without a GPU llama.cpp runs the built-in chat model if the site serves its files', async () => {
  const { both } = start({ hasNoGpu: true });
  await load(both, POCKET);
  expect(await answer(both)).toEqual([
    { type: 'prefill', engine: 'llama.cpp; cpu; threads=1' },
    { type: 'delta', choice: 0, content: 'llama.cpp' },
  ]);
});

test('without a GPU and llama.cpp no WebLLM model is loaded, and the error says so', async () => {
  const { both } = start({ hasNoGpu: true });
  const [pocketOfWebLlm] = readSiteModels({ gguf: false }, 'https://site.test/').entries;
  await load(both, SMALL);
  await expect(load(both, EMBED)).rejects.toMatchObject({ code: 'model_load_failed' });
  await expect(load(both, pocketOfWebLlm)).rejects.toMatchObject({
    code: 'model_load_failed',
    message: expect.stringContaining('needs WebGPU'),
  });
  expect(both.loadedModel).toBe('small');
});

test('a model that was trained to decline declines what is beyond it, and others answer', async () => {
  const { both, webllm, llamaCpp } = start();
  await load(both, POCKET);
  await load(both, COMPARES);
  await answer(both, completionRequest('2 + 2'));
  await answer(both, completionRequest('100 / 7'));
  await load(both, SMALL);
  await answer(both, completionRequest('100 / 7'));
  const formats = [...webllm.asked, ...llamaCpp.asked].map(({ responseFormat }) => responseFormat);
  expect(formats).toEqual([{ type: 'text' }, { type: 'choice', choices: [POCKET!.decline] }, { type: 'text' }]);
});
