import type { ChatOptions, MLCEngine, MLCEngineConfig } from '@mlc-ai/web-llm';
import { vi } from 'vitest';
import type { CompletionRequest } from '../../../../src/shared/engine/completion-request.ts';
import type {
  DeltaEvent,
  FinishReason,
  GenerationEvent,
  TokenLogprob,
  ToolCallDelta,
  Usage,
} from '../../../../src/shared/engine/completion-event.ts';
import type { Engine } from '../../../../src/shared/engine/engine.ts';
import type { ModelEntry } from '../../../../src/shared/models/model-entry.ts';
import type { CheckRecords } from '../../../../src/engine-worker/webllm/pipeline/extension.ts';
import { createWebLlmEngine } from '../../../../src/engine-worker/webllm/create-webllm-engine.ts';
import { completionRequest } from '../../../support/fakes/completion-request.ts';
import { memoryCaches } from '../../../support/fakes/memory-caches.ts';
import { realWebLlm } from './real-webllm.ts';
import { embeddingPipeline, type EmbeddedBatch } from './embedding-pipeline.ts';
import { script, scriptedPipeline, type Run, type Sampler } from './scripted-pipeline.ts';
import { TestTokenizer, type ScriptToken } from './test-tokenizer.ts';

// Long enough for a busy machine, because the first test of a file loads WebLLM's seven megabytes.
vi.setConfig({ testTimeout: 60_000 });

export const SITE = 'https://site.test';
/** As content of a file: the server cannot be reached. */
export const OFFLINE = '\0offline';
/** As content of a file: the server accepts the request and never responds. */
export const SILENT = '\0silent';

export const CHAT_TEMPLATE = {
  system_template: '<|system|>{system_message}<|end|>',
  system_message: '',
  render_empty_system_message: false,
  roles: { user: '<|user|>', assistant: '<|assistant|>', tool: '<|tool|>' } as Record<string, string>,
  role_templates: { user: '{user_message}', assistant: '{assistant_message}', tool: '{tool_message}' } as Record<
    string,
    string
  >,
  role_content_sep: '',
  role_empty_sep: '',
  seps: ['<|end|>'],
  stop_str: [] as string[],
  stop_token_ids: [] as number[],
  system_prefix_token_ids: [] as number[],
};

const MARKERS = ['<|end|>', '<|system|>', '<|user|>', '<|assistant|>', '<|tool|>', '<s>'];

export interface TestEngineOptions {
  /** The model's replies, token by token, in the order of the generations; the last one repeats. */
  readonly replies?: readonly (readonly ScriptToken[])[];
  /** Replaces `replies`. The tokenizer provides token ids. */
  readonly sampler?: (tokenizer: TestTokenizer, endOfTurn: number) => Sampler;
  /**
   * Logits of the tokens of `replies`, at each position; all others are unlikely. The adapter samples from them. Default:
   * the model writes the replies.
   */
  readonly logits?: (token: ScriptToken) => number;
  /** Logit of the end of the turn, with `logits`. Default: it is unlikely, too. */
  readonly endLogit?: number;
  /** Whether the runtime has a generator of random numbers, without which cpu-sampling is off. Default: true. */
  readonly random?: boolean;
  readonly template?: Partial<typeof CHAT_TEMPLATE>;
  readonly entry?: Partial<ModelEntry>;
  /** Changes of the package's own configuration. */
  readonly config?: Readonly<Record<string, unknown>>;
  /** Tokens that the tokenizer recognizes anywhere although they are not control tokens. Default: none. */
  readonly added?: readonly string[];
  /** Further control tokens. Default: none. */
  readonly markers?: readonly string[];
  /** Whether the library can remove tokens from the end of its KV cache. Default: true. */
  readonly popn?: boolean;
  /** Whether the library can save and restore its KV cache, four bytes per token. Default: true. */
  readonly checkpoints?: boolean;
  /** Bytes per token that the library reports. Default: 4. */
  readonly saidBytes?: number;
  /** Whether a prompt prefilled in several parts gives the same result. Default: true. */
  readonly reuses?: boolean;
  /** The stored results of checks of the compiled libraries. Default: no results, and none are stored. */
  readonly checks?: CheckRecords;
  readonly onCheck?: () => void;
  readonly onSave?: () => unknown;
  readonly onScope?: () => void;
  /** Awaited before a copy of the KV cache is complete. */
  readonly copying?: () => Promise<unknown>;
  /** Bytes for KV caches of conversations other than the last. Default: 40,000. */
  readonly promptMemory?: number;
  readonly logprob?: (token: number) => number;
  readonly onForward?: (kind: 'prefill' | 'decode', tokens: number) => Promise<void>;
  /** Called before the embeddings of a batch are computed. */
  readonly onBatch?: (batch: EmbeddedBatch) => Promise<void>;
  /** Whether the GPU is lost. Default: never. */
  readonly isGpuGone?: () => Promise<boolean>;
  /** Replaces WebLLM's loading. If it throws, the load fails; if it returns false, no model is loaded. */
  readonly onReload?: (engine: MLCEngine, model: string) => Promise<void | false>;
}

export interface TestEngine {
  readonly engine: Engine;
  readonly entry: ModelEntry;
  readonly tokenizer: TestTokenizer;
  readonly endOfTurn: number;
  /** The same package as an embedding model. */
  readonly embeddingEntry: ModelEntry;
  /** One for each generation. */
  readonly runs: readonly Run[];
  /** The batches of texts that the library received. */
  readonly batches: readonly EmbeddedBatch[];
  /** WebLLM's engines in the order of the loads. */
  readonly engines: readonly MLCEngine[];
  /** The files on the server, by name. */
  readonly files: Map<string, string>;
  /** Names of the files that were fetched. */
  readonly fetched: string[];
}

/** The adapter on WebLLM's real code, with a scripted model instead of a GPU. */
export async function testEngine(options: TestEngineOptions = {}): Promise<TestEngine> {
  const webLlm = await realWebLlm();
  const replies = options.replies ?? [];
  const tokenizer = new TestTokenizer(
    [...MARKERS, ...(options.markers ?? [])],
    [...(options.added ?? []), ...replies.flat()],
  );
  const endOfTurn = tokenizer.id('<|end|>');
  const entry: ModelEntry = {
    id: 'scripted',
    created: 0,
    ownedBy: 'test',
    contextWindow: 4000,
    vocabularySize: tokenizer.getVocabSize(),
    defaultTemperature: 0.7,
    defaultTopP: 0.9,
    images: false,
    thinking: null,
    modelUrl: `${SITE}/scripted/`,
    libraryUrl: `${SITE}/scripted/library.wasm`,
    ...options.entry,
  };
  const embeddingEntry = {
    ...entry,
    id: 'embeds',
    contextWindow: 64,
    embedding: { dimensions: 4, shortens: true },
  } as const;
  const config = {
    vocab_size: tokenizer.getVocabSize(),
    context_window_size: 8000,
    temperature: 0.5,
    top_p: 0.5,
    repetition_penalty: 1,
    tokenizer_files: ['tokenizer.json'],
    model_config: { mm_tokens_per_image: 16 },
    conv_template: { ...CHAT_TEMPLATE, stop_token_ids: [endOfTurn], ...options.template },
    ...options.config,
  };
  const files = packageFiles(config, tokenizer, options.added ?? []);
  const fetched = serveSite(files);
  const runs: Run[] = [];
  const batches: EmbeddedBatch[] = [];
  const engines: MLCEngine[] = [];
  const logits = options.logits && Array.from({ length: tokenizer.getVocabSize() }, () => -30);
  for (const token of replies.flat()) logits?.splice(tokenizer.id(token), 1, options.logits!(token));
  if (options.endLogit !== undefined) logits?.splice(endOfTurn, 1, options.endLogit);
  const sampler = options.sampler?.(tokenizer, endOfTurn) ?? script(tokenizer, endOfTurn, replies);

  class ScriptedEngine extends webLlm.MLCEngine {
    constructor(engineConfig: MLCEngineConfig) {
      super({ ...engineConfig, logLevel: 'SILENT' });
      engines.push(this);
    }

    override async reload(id: string, chatOptions: ChatOptions): Promise<void> {
      await this.unload();
      if ((await options.onReload?.(this, id)) === false) return;
      const merged = { ...config, ...chatOptions };
      const maps = this as unknown as Record<string, Map<unknown, unknown>>;
      const isEmbedding = id === embeddingEntry.id;
      maps['loadedModelIdToChatConfig']?.set(id, merged);
      maps['loadedModelIdToModelType']?.set(id, isEmbedding ? 1 : 0);
      maps['loadedModelIdToLock']?.set(id, new webLlm.CustomLock());
      const onBatch = async (batch: EmbeddedBatch) => {
        batches.push(batch);
        await options.onBatch?.(batch);
      };
      const pipeline = isEmbedding
        ? embeddingPipeline(webLlm, tokenizer, onBatch)
        : scriptedPipeline(webLlm, merged, {
            tokenizer,
            sampler,
            logits: logits ?? null,
            random: options.random ?? true,
            runs,
            logprob: options.logprob ?? (() => -0.5),
            onForward: options.onForward ?? (async () => {}),
            images: entry.images,
            popn: options.popn ?? true,
            checkpoints: options.checkpoints ?? true,
            saidBytes: options.saidBytes ?? 4,
            onCheck: options.onCheck ?? (() => {}),
            onSave: options.onSave ?? (() => {}),
            onScope: options.onScope ?? (() => {}),
            copying: options.copying ?? (async () => {}),
            reuses: options.reuses ?? true,
          });
      maps['loadedModelIdToPipeline']?.set(id, pipeline);
      this.getInitProgressCallback()?.({ progress: 1, timeElapsed: 0, text: 'Finish loading on WebGPU' });
    }
  }
  const loadWebLlm = async () => ({
    MLCEngine: ScriptedEngine,
    prebuiltAppConfig: webLlm.prebuiltAppConfig,
  });
  const engine = createWebLlmEngine({
    loadWebLlm,
    isGpuGone: options.isGpuGone ?? (async () => false),
    checks: options.checks ?? { get: async () => undefined, put: async () => {} },
    promptMemory: options.promptMemory ?? 40_000,
  });
  return { engine, entry, embeddingEntry, tokenizer, endOfTurn, runs, batches, engines, files, fetched };
}

/** {@link testEngine} with its model loaded. */
export async function loadedEngine(options: TestEngineOptions = {}): Promise<TestEngine> {
  const test = await testEngine(options);
  await test.engine.load(test.entry, () => {}, new AbortController().signal);
  return test;
}

export interface Choice {
  content: string;
  reasoning: string;
  /** The pieces of content as they arrived. */
  pieces: string[];
  toolCalls: { id: string; name: string; arguments: string }[];
  logprobs: TokenLogprob[];
  reason: FinishReason | null;
}

export interface Answer {
  readonly choices: readonly Choice[];
  readonly usage: Usage;
  readonly events: readonly GenerationEvent[];
}

/** Runs a generation to its end. */
export async function ask(
  engine: Engine,
  request: Partial<CompletionRequest> | string,
  signal: AbortSignal = new AbortController().signal,
): Promise<Answer> {
  const events: GenerationEvent[] = [];
  for await (const event of engine.generate(requestOf(request), signal)) events.push(event);
  return collect(events);
}

export function requestOf(request: Partial<CompletionRequest> | string): CompletionRequest {
  if (typeof request === 'string') return completionRequest(request, 'scripted');
  return { ...completionRequest('Hello', 'scripted'), ...request };
}

function collect(events: readonly GenerationEvent[]): Answer {
  const choices: Choice[] = [];
  const choiceAt = (index: number) =>
    (choices[index] ??= { content: '', reasoning: '', pieces: [], toolCalls: [], logprobs: [], reason: null });
  let usage: Usage | null = null;
  for (const event of events) {
    if (event.type === 'delta') addDelta(choiceAt(event.choice), event);
    else if (event.type === 'finish') choiceAt(event.choice).reason = event.reason;
    else if (event.type === 'done') usage = event.usage;
  }
  if (usage === null) throw new Error('The generation ended without usage.');
  return { choices, usage, events };
}

function addDelta(choice: Choice, { content, reasoning, toolCalls, logprobs }: DeltaEvent): void {
  choice.content += content ?? '';
  if (content !== undefined) choice.pieces.push(content);
  choice.reasoning += reasoning ?? '';
  choice.logprobs.push(...(logprobs ?? []));
  for (const call of toolCalls ?? []) addCall(choice, call);
}

function addCall(choice: Choice, { index, id, name, arguments: args }: ToolCallDelta): void {
  if (id !== undefined && name !== undefined) {
    if (index !== choice.toolCalls.length) throw new Error(`Call ${index} begins out of order.`);
    choice.toolCalls.push({ id, name, arguments: args });
    return;
  }
  const call = choice.toolCalls[index];
  if (!call) throw new Error(`A piece of call ${index} came before its beginning.`);
  call.arguments += args;
}

function packageFiles(config: object, tokenizer: TestTokenizer, others: readonly string[]): Map<string, string> {
  return new Map<string, string>([
    ['mlc-chat-config.json', JSON.stringify(config)],
    ['tensor-cache.json', JSON.stringify({ records: [{ dataPath: 'params_shard_0.bin', nbytes: 4 }] })],
    ['params_shard_0.bin', 'bits'],
    ['library.wasm', '\0asm'],
    [
      'tokenizer.json',
      JSON.stringify({
        added_tokens: [...MARKERS, ...others].map((content) => ({
          id: tokenizer.id(content),
          content,
          special: MARKERS.includes(content),
        })),
        post_processor: {
          type: 'TemplateProcessing',
          single: [
            { SpecialToken: { id: '<s>', type_id: 0 } },
            { Sequence: { id: 'A', type_id: 0 } },
            { SpecialToken: { id: '<|end|>', type_id: 0 } },
          ],
          special_tokens: Object.fromEntries(
            ['<s>', '<|end|>'].map((id) => [id, { id, ids: [tokenizer.id(id)], tokens: [id] }]),
          ),
        },
      }),
    ],
  ]);
}

/** Replaces the worker's globals: empty caches, and a network with the package's files. */
function serveSite(files: ReadonlyMap<string, string>): string[] {
  const fetched: string[] = [];
  vi.stubGlobal('caches', memoryCaches());
  vi.stubGlobal('location', new URL(SITE));
  vi.stubGlobal('navigator', { storage: { estimate: async () => ({ usage: 0, quota: 1e9 }) } });
  vi.stubGlobal('addEventListener', () => {});
  vi.stubGlobal('removeEventListener', () => {});
  vi.stubGlobal('fetch', async (input: RequestInfo | URL) => {
    const url = input instanceof Request ? input.url : String(input);
    const name = url.replace(/^.*\/scripted\//, '');
    fetched.push(name);
    const text = files.get(name);
    if (text === OFFLINE) throw new TypeError('Failed to fetch');
    if (text === SILENT) return new Promise<never>(() => {});
    return text === undefined ? new Response('Not found', { status: 404 }) : new Response(text);
  });
  return fetched;
}
