import { expect, test } from 'vitest';
import { EngineByFormat } from '../../src/engine-worker/engine-by-format.ts';
import type { GenerationEvent } from '../../src/shared/engine/completion-event.ts';
import type { Engine } from '../../src/shared/engine/engine.ts';
import { readSiteModels } from '../../src/shared/models/site-models.ts';
import { completionRequest } from '../support/fakes/completion-request.ts';

const [POCKET, EMBED, SMALL] = readSiteModels(
  { models: [{ id: 'small', gguf: 'a.gguf' }] },
  'https://site.test/',
).entries;

const BROWSERS_OWN = { ...POCKET!, id: 'browser', format: 'browser' } as const;

/** An engine that says its name. */
function named(name: string, place?: string) {
  const engine = {
    loadedModel: null as string | null,
    loadedEmbeddingModel: null as string | null,
    place,
    async load({ id, embedding }: { id: string; embedding?: object }) {
      if (embedding) engine.loadedEmbeddingModel = id;
      else engine.loadedModel = id;
    },
    async unload() {
      engine.loadedModel = null;
      engine.loadedEmbeddingModel = null;
    },
    async *generate(): AsyncGenerator<GenerationEvent> {
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

async function answer(engine: Engine): Promise<readonly GenerationEvent[]> {
  const events: GenerationEvent[] = [];
  for await (const event of engine.generate(completionRequest('Hello'), signal)) events.push(event);
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
