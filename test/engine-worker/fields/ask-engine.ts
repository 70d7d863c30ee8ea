import { vi } from 'vitest';
import { createBrowserModelEngine } from '../../../src/engine-worker/browser-model/create-browser-model-engine.ts';
import { Completions } from '../../../src/engine-worker/completions/completions.ts';
import { EngineByFormat } from '../../../src/engine-worker/engine-by-format.ts';
import { createLlamaCppEngine } from '../../../src/engine-worker/llama-cpp/create-llama-cpp-engine.ts';
import type { WllamaModule } from '../../../src/shared/models/create-wllama.ts';
import { createWebLlmEngine } from '../../../src/engine-worker/webllm/create-webllm-engine.ts';
import type { ApiErrorData } from '../../../src/shared/api-error.ts';
import type { CompletionEvent } from '../../../src/shared/engine/completion-event.ts';
import type { CompletionRequest } from '../../../src/shared/engine/completion-request.ts';
import type { Engine } from '../../../src/shared/engine/engine.ts';
import { builtInModels } from '../../../src/shared/models/built-in-models.ts';
import type { ModelEntry } from '../../../src/shared/models/model-entry.ts';
import { createBrowserLanguageModel, type BrowserCall } from '../../support/fakes/browser-language-model.ts';
import { completionRequest } from '../../support/fakes/completion-request.ts';
import { fakePageWorker } from '../../support/fakes/page-worker.ts';
import { MemoryLocks } from '../../support/fakes/web-locks.ts';
import { ggufFile } from '../../support/samples/gguf-file.ts';
import { nextOf } from '../webllm/support/scripted-pipeline.ts';
import { testEngine } from '../webllm/support/test-engine.ts';
import { scriptedLlamaCpp } from './scripted-llama-cpp.ts';
import { scoreOf, WORDS, type ScriptedModel } from './scripted-model.ts';

/** What a request to one engine led to. */
export interface Outcome {
  /** The text of each choice. */
  readonly texts: readonly string[];
  /** The text of the first choice, and its words. */
  readonly text: string;
  readonly words: readonly string[];
  readonly reasoning: string;
  readonly vectors: readonly (readonly number[])[];
  /** Names of the called tools. */
  readonly calls: readonly string[];
  /** The arguments of each call. */
  readonly inputs: readonly string[];
  /** For each token with log-probabilities, the number of its alternatives. */
  readonly alternatives: readonly number[];
  /** The stop sequence that ended the first choice; null if none did. */
  readonly stopSequence: string | null;
  /** What the model got as its first prompt: its text, or the messages as JSON. */
  readonly prompt: string;
  /** The constraint of the answer that the browser's model got. */
  readonly constraint: unknown;
  readonly loadedModel: string | null;
  /** The error; null if the request succeeded. */
  readonly error: ApiErrorData | null;
}

export type EngineName = 'webllm' | 'llamaCpp' | 'browser';

interface Started {
  readonly engine: Engine;
  readonly entry: ModelEntry;
  readonly embeddingEntry: ModelEntry;
  readonly prompts: readonly string[];
  readonly calls: readonly BrowserCall[];
}

const SITE = 'https://site.test/';

const ENTRY = { ...builtInModels(SITE)[0], id: 'scripted', defaultTemperature: 0.7, defaultTopP: 0.9 } as const;

/** Marker tokens around a gap, by which the scripted WebLLM's model fills in the middle. */
const GAP = ['<fim_prefix>', '<fim_suffix>', '<fim_middle>'];

/** Markers around the thinking in the text of the scripted WebLLM. */
const THINKING = { open: '<think>', close: '</think>' };

const ENGINES: Readonly<Record<EngineName, (model: ScriptedModel) => Promise<Started>>> = {
  async webllm({ reply, thought, endScore, contextWindow = 4000 }) {
    const opening = thought === undefined ? [] : [THINKING.open, thought, THINKING.close];
    const prompts: string[] = [];
    const test = await testEngine({
      replies: [[...opening, ...(reply ?? WORDS)]],
      markers: GAP,
      entry: { contextWindow, thinking: thought === undefined ? null : THINKING },
      ...(reply === undefined
        ? {
            logits: (token) => scoreOf(String(token)),
            ...(endScore !== undefined && { endLogit: endScore }),
          }
        : {
            sampler:
              (tokenizer, endOfTurn) =>
              ({ run, position, answer, allows }) => {
                // The pipeline shows markers in guillemets.
                if (position === 0) prompts.push(run.prompt.replaceAll(/[«»]/g, ''));
                const isClosed = run.prompt.endsWith(`${THINKING.close}\n\n`);
                const token = nextOf([...(isClosed ? [] : opening), ...reply], answer, tokenizer);
                return token !== undefined && allows(token) ? token : endOfTurn;
              },
          }),
    });
    return { ...test, prompts, calls: [] };
  },

  async llamaCpp(model) {
    vi.stubGlobal('Worker', undefined);
    const prompts: string[] = [];
    const entry: ModelEntry = { ...ENTRY, format: 'gguf' };
    const embeddingEntry = { ...entry, id: 'embeds', embedding: { dimensions: 3, shortens: true } } as const;
    const encoder = { 'general.architecture': 'bert', 'bert.pooling_type': 2, 'bert.embedding_length': 3 };
    const engine = createLlamaCppEngine({
      folder: () => `${SITE}llama-cpp/`,
      isCompat: false,
      openFiles: async ({ embedding }) => [new Blob([ggufFile(embedding ? encoder : {})])],
      keepFiles: async () => {},
      importWllama: async () => ({ Wllama: scriptedLlamaCpp(model, prompts) }) as unknown as WllamaModule,
      startWorker: async () => fakePageWorker(),
    });
    return { engine, entry, embeddingEntry, prompts, calls: [] };
  },

  async browser({ reply, contextWindow = 60 }) {
    const calls: BrowserCall[] = [];
    const answer = reply ?? WORDS;
    vi.stubGlobal('navigator', { locks: new MemoryLocks() });
    vi.stubGlobal('document', new EventTarget());
    vi.stubGlobal('LanguageModel', createBrowserLanguageModel({ contextWindow, answer }, calls).LanguageModel);
    vi.resetModules();
    const { serveBrowserModel } = await import('../../../src/page/engine/serve-browser-model.ts');
    const page = (message: unknown) => void serveBrowserModel(message as never, new AbortController().signal);
    const engine = createBrowserModelEngine({ pages: async () => [page], onWindow: () => {} });
    const entry: ModelEntry = { ...ENTRY, format: 'browser', contextWindow };
    return {
      engine,
      entry,
      embeddingEntry: { ...entry, id: 'embeds', embedding: { dimensions: 3 } },
      prompts: [],
      calls,
    };
  },
};

/**
 * Runs a request as the engine worker does: queue, load and check, with one of the three engines, whose model is
 * scripted.
 * @param fields The fields of the request that differ from a chat with the message "Hello" and the defaults.
 */
export async function askEngine(
  name: EngineName,
  model: ScriptedModel,
  fields: Partial<CompletionRequest>,
): Promise<Outcome> {
  const { engine, entry, embeddingEntry, prompts, calls } = await ENGINES[name](model);
  const unloaded = createWebLlmEngine({
    loadWebLlm: () => Promise.reject(new Error('WebLLM is not part of the test.')),
  });
  const engines = { webllm: unloaded, llamaCpp: unloaded, browser: unloaded, [name]: engine };
  const completions = new Completions({
    engine: new EngineByFormat({ ...engines, hasNoGpu: async () => false }),
    findModel: async (id) => ({ ...(id === embeddingEntry.id ? embeddingEntry : entry), id }),
  });
  const events: CompletionEvent[] = [];
  const request = { ...completionRequest('Hello', entry.id), ...fields };
  const options = { requestId: 'request', fingerprint: 'fingerprint', holdTime: null };
  completions.start(request, options, SITE).log.subscribe((event) => events.push(event));
  await vi.waitFor(
    () => {
      if (!['done', 'error'].includes(events.at(-1)?.type ?? '')) throw new Error('The answer has not ended.');
    },
    { timeout: 30_000, interval: 5 },
  );
  const [call] = calls;
  return {
    ...read(events),
    prompt: call ? JSON.stringify([...(call.initialPrompts ?? []), ...call.prompt]) : (prompts[0] ?? ''),
    constraint: call?.constraint,
    loadedModel: engine.loadedModel,
  };
}

function read(events: readonly CompletionEvent[]) {
  const deltas = events.filter((event) => event.type === 'delta');
  const first = deltas.filter(({ choice }) => choice === 0);
  const texts: string[] = [];
  const inputs: string[] = [];
  for (const { index, arguments: part } of first.flatMap(({ toolCalls }) => toolCalls ?? []))
    inputs[index] = (inputs[index] ?? '') + part;
  for (const { choice, content } of deltas) texts[choice] = (texts[choice] ?? '') + (content ?? '');
  const [text = ''] = texts;
  const last = events.at(-1);
  return {
    texts,
    text,
    words: text.match(/\S+ /g) ?? [],
    reasoning: first.map(({ reasoning }) => reasoning ?? '').join(''),
    vectors: deltas.flatMap(({ embedding }) => (embedding ? [[...embedding]] : [])),
    calls: first.flatMap(({ toolCalls }) => (toolCalls ?? []).flatMap(({ name }) => name ?? [])),
    inputs,
    alternatives: first.flatMap(({ logprobs }) => (logprobs ?? []).map(({ topLogprobs }) => topLogprobs.length)),
    stopSequence: events.find((event) => event.type === 'finish')?.stopSequence ?? null,
    error: last?.type === 'error' ? last.error : null,
  };
}
