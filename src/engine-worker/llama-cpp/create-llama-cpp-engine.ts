import type { Wllama } from '@wllama/wllama';
import { ApiError } from '../../shared/api-error.ts';
import type { DeltaEvent, GenerationEvent, PrefillEvent } from '../../shared/engine/completion-event.ts';
import type { CompletionRequest } from '../../shared/engine/completion-request.ts';
import type { Engine, LoadingProgress } from '../../shared/engine/engine.ts';
import type { ModelEntry } from '../../shared/models/model-entry.ts';
import { modelKind, type ModelKind } from '../../shared/models/model-kind.ts';
import { withAbort } from '../../shared/timeout.ts';
import { ggufMemory } from '../models/gguf/gguf-fit.ts';
import type { GgufHeader } from '../models/package/read-gguf-header.ts';
import { SignOfLife } from '../answer/sign-of-life.ts';
import type { AddedToken } from '../answer/unwanted-tokens.ts';
import { say } from '../strings/say.ts';
import { turnEnds } from './assumed-template.ts';
import { computeEmbeddings } from './compute-embeddings.ts';
import { decodeImages } from './decode-images.ts';
import { withEncodingEvents } from './encoding-events.ts';
import { generationError } from './generation-error.ts';
import { openGgufFiles } from './open-gguf-files.ts';
import { readFiles } from './read-files.ts';
import { refuseWrongKind } from './refuse-wrong-kind.ts';
import { storeLlamaCpp } from './store-llama-cpp.ts';
import { CacheScopes } from './cache-scopes.ts';
import { checkGpuOnce, STORED_GPU_CHECKS, type GpuCheckRecords } from './check-gpu-once.ts';
import { requestGbnf } from './request-gbnf.ts';
import {
  placeOf,
  RefusedFilesError,
  startLlamaCpp,
  type LlamaCppRuntime,
  type RuntimeEnvironment,
} from './llama-cpp-runtime.ts';
import { ChunkReader, type LlamaChunk } from './chunk-reader.ts';
import { chatFormat } from './prompt/chat-format.ts';
import type { TemplateTokens } from './prompt/chat-template.ts';
import { planChat } from './prompt/plan-chat.ts';
import { withEcho } from './with-echo.ts';
import {
  refuseUnsupported,
  toLlamaChat,
  toLlamaCompletion,
  type ChatModel,
  type LlamaRequest,
} from './to-llama-request.ts';

export interface LlamaCppEngineOptions extends RuntimeEnvironment {
  /** Returns a model's files. Default: downloads them unless they are in the cache. */
  readonly openFiles?: typeof openGgufFiles;
  /** Stores llama.cpp's own files, so that models load without network. Default: in the site's cache. */
  readonly keepFiles?: typeof storeLlamaCpp;
  /** Remembers which models a graphics device computes correctly. Default: in the site's database. */
  readonly gpuChecks?: GpuCheckRecords;
  /** Main memory in bytes; null if unknown. Default: unknown. */
  readonly deviceMemory?: number | null;
}

interface LoadedModel extends LlamaCppRuntime, ChatModel {
  /** Bytes of main memory that the model takes, estimated. */
  readonly memory: number;
}

/** What {@link placeOf} describes before a model is loaded. */
const NOT_LOADED = { gpu: null, threads: 1, isolated: true, hasChatTemplate: true } as const;

/** Bytes of main memory that are assumed if the browser does not report it. */
const USUAL_MEMORY = 4 * 2 ** 30;

/** Share of the load's progress that the download of the files takes. */
const DOWNLOAD_SHARE = 0.8;

/**
 * Number of characters up to which a prompt is prefilled without progress reports, by device. A long prefill needs the
 * reports, because it can be aborted only between two of them. For a short prompt they cost too much: wllama takes one
 * result per decode step, so two reports delay every token of the answer by two steps.
 */
const QUIET_LENGTH = { cpu: 250, gpu: 2000 } as const;

/**
 * Milliseconds after an abort in which llama.cpp may finish a long step. It encodes an image in one step, which cannot
 * be interrupted. After this time its worker is ended, and the model is loaded again at once.
 */
const ABORT_TIMEOUT = 2000;

/**
 * Creates the engine that runs GGUF models with llama.cpp (package `@wllama/wllama`): on the graphics device if
 * possible, otherwise on the CPU. The package is fetched when the first model is loaded. The model runs in a worker of
 * one page. If that page is closed, the model is lost, and the next request loads it in another page.
 */
export function createLlamaCppEngine(options: LlamaCppEngineOptions): Engine {
  return new LlamaCppEngine(options);
}

class LlamaCppEngine implements Engine {
  readonly #options: LlamaCppEngineOptions;
  readonly #gpuChecks: GpuCheckRecords;
  /** The answers that are being generated, also those that hang. */
  readonly #answers = new Set<{ readonly model: LoadedModel }>();
  /**
   * Ids of the models that failed on the graphics device since this engine started. They are loaded on the CPU from
   * then on.
   */
  readonly #failedOnGpu = new Set<string>();
  /**
   * Why llama.cpp has refused files, by their content and the size of the KV cache. They are not loaded again, because
   * each request would read gigabytes only to fail.
   */
  readonly #refused = new Map<string, RefusedFilesError>();
  readonly #scopes = new CacheScopes();
  readonly #models: Record<ModelKind, LoadedModel | null> = { chat: null, embedding: null };

  constructor(options: LlamaCppEngineOptions) {
    this.#options = options;
    this.#gpuChecks = options.gpuChecks ?? STORED_GPU_CHECKS;
  }

  get loadedModel(): string | null {
    return idOf(this.#models.chat);
  }

  get loadedEmbeddingModel(): string | null {
    return idOf(this.#models.embedding);
  }

  get parallel(): number {
    return parallelOf(this.#models.chat?.entry);
  }

  get place(): string {
    return placeOf(this.#models.chat ?? this.#models.embedding ?? NOT_LOADED);
  }

  async load(entry: ModelEntry, report: (progress: LoadingProgress) => void, signal: AbortSignal): Promise<void> {
    const kind = modelKind(entry);
    await this.unload(kind);
    const { openFiles = openGgufFiles, keepFiles = storeLlamaCpp, folder, isCompat } = this.#options;
    let done = 0;
    const files = await openFiles(
      entry,
      (read) => report({ ...read, progress: (done = DOWNLOAD_SHARE * read.progress) }),
      signal,
    );
    const { hash, header, mmproj } = await readFiles(files, entry);
    const content = `${hash} ${entry.contextWindow} ${parallelOf(entry)}`;
    const refused = this.#refused.get(content);
    if (refused !== undefined) throw refused;
    refuseWrongKind(entry, header);
    const memory = memoryOf(files, header, entry);
    await this.#makeRoom(kind, memory);
    await keepFiles(folder(), isCompat);
    const reportRead = (share: number) => report({ progress: done + (1 - done) * share, ...say('readingIntoMemory') });
    reportRead(0);
    const bytes = files.reduce((sum, { size }) => sum + size, 0);
    // A cache with sliding attention is small, and 8 bits changed the words of Gemma 3 (decision 0024). With images only the
    // 8-bit one is both small and fast, because their encoder needs flash attention.
    const defaultBits = header.slidingCacheBytes === 0 || entry.mmproj !== undefined ? 8 : 16;
    const settings = {
      contextWindow: entry.contextWindow,
      allows8BitCache: header.allows8BitCache && (entry.cacheBits ?? defaultBits) === 8,
      pooling: header.pooling,
      mmproj,
      parallel: parallelOf(entry),
      // Embeddings are computed on the CPU: no check would notice that a graphics device computes wrong vectors.
      mayUseGpu: kind === 'chat' && !this.#failedOnGpu.has(entry.id),
      checkGpu: (gpu: string, check: () => Promise<boolean>) =>
        checkGpuOnce({ id: entry.id, bytes, gpu, llamaCpp: this.#options.folder() }, this.#gpuChecks, check),
      onGpuFailure: () => {
        this.#failedOnGpu.add(entry.id);
        this.#gpuChecks.delete(entry.id).catch(() => {});
      },
    };
    const runtime = await startLlamaCpp(files, settings, this.#options, reportRead, signal).catch(
      async (thrown: unknown) => {
        if (!(thrown instanceof RefusedFilesError)) throw thrown;
        // Fails if the files were deleted meanwhile. Then there may be nothing wrong with them.
        await readFiles(files, entry);
        this.#refused.set(content, thrown);
        throw thrown;
      },
    );
    const { wllama } = runtime;
    const { addedTokens } = header;
    const format = chatFormat(wllama.getChatTemplate(), addedTokens, templateTokens(wllama, addedTokens));
    const isEnd = (token: number) => wllama.isTokenEOG(token);
    this.#models[kind] = { ...runtime, entry, addedTokens, format, isEnd, memory };
    report({ progress: 1, ...say('modelReady') });
  }

  async unload(kind?: ModelKind): Promise<void> {
    for (const each of kind === undefined ? (['chat', 'embedding'] as const) : [kind]) {
      const model = this.#models[each];
      if (model !== null) this.#forgetGpuCheckOfRunningAnswers(model);
      model?.end();
      this.#models[each] = null;
    }
  }

  /**
   * Forgets that a graphics device computed a model correctly, if it is unloaded during an answer: the answer may hang,
   * as after an update of the driver. The next load checks the device again.
   */
  #forgetGpuCheckOfRunningAnswers(model: LoadedModel): void {
    const running = [...this.#answers].filter((answer) => answer.model === model);
    for (const answer of running) this.#answers.delete(answer);
    if (running.length > 0 && model.gpu !== null) this.#gpuChecks.delete(model.entry.id).catch(() => {});
  }

  /** Unloads the model of the other kind if both together would take more than half of the device's memory. */
  async #makeRoom(kind: ModelKind, memory: number): Promise<void> {
    const other = kind === 'chat' ? 'embedding' : 'chat';
    const both = memory + (this.#models[other]?.memory ?? 0);
    if (both > (this.#options.deviceMemory ?? USUAL_MEMORY) / 2) await this.unload(other);
  }

  async *generate(request: CompletionRequest, signal: AbortSignal): AsyncGenerator<GenerationEvent, undefined> {
    signal.throwIfAborted();
    if (request.embed) return yield* computeEmbeddings(request.embed, required(this.#models.embedding), signal);
    const model = required(this.#models.chat);
    refuseUnsupported(request, model);
    const answer = { model };
    this.#answers.add(answer);
    try {
      // llama.cpp ignores all tokens that end an answer or none, but the request may name one of them as its end.
      const ignoreEnd = request.ignoreEnd && !request.stopTokens.some(model.isEnd);
      yield* this.#generateChat({ ...request, ignoreEnd }, model, signal);
    } finally {
      this.#answers.delete(answer);
    }
  }

  async *#generateChat(
    request: CompletionRequest,
    model: LoadedModel,
    signal: AbortSignal,
  ): AsyncGenerator<GenerationEvent, undefined> {
    const plan = request.raw ? null : planChat(request, model.format, model.entry.id);
    const grammar = requestGbnf(request, plan?.syntax, plan?.allowedThinking);
    const caching = this.#scopes.cachingFor(request, model);
    yield { type: 'prefill' };
    const images = await decodeImages(request.messages, signal);
    const usage = { promptTokens: 0, completionTokens: 0, cachedTokens: 0, reasoningTokens: 0 };
    for (const [promptIndex, prompt] of (request.raw?.prompts ?? [null]).entries()) {
      for (let choice = 0; choice < request.choices; choice++) {
        const index = promptIndex * request.choices + choice;
        const asked =
          plan === null
            ? toLlamaCompletion(request, prompt!, model, grammar, choice)
            : toLlamaChat(request, plan, model, grammar, choice, images);
        const ends = turnEnds(request, model.hasChatTemplate);
        let reader = new ChunkReader(index, request, plan, ends);
        const generated = generateChoice(model, { ...asked, ...caching }, reader, plan === null, signal);
        const echo = request.raw?.echo ? String(prompt) : '';
        yield* echo === '' ? generated : withEcho({ type: 'delta', choice: index, content: echo }, generated);
        const { cachedTokens } = reader.usage;
        const again = reader.again(model.entry);
        if (again !== null) {
          const planAgain = planChat({ ...again, thinking: false }, model.format, model.entry.id);
          reader = new ChunkReader(index, again, planAgain, ends);
          const grammarAgain = requestGbnf(again, planAgain.syntax, planAgain.allowedThinking);
          const askedAgain = toLlamaChat(again, planAgain, model, grammarAgain, choice, images);
          yield* generateChoice(model, { ...askedAgain, ...caching }, reader, false, signal);
        }
        if (choice === 0) usage.promptTokens += reader.usage.promptTokens;
        if (choice === 0) usage.cachedTokens += cachedTokens;
        usage.completionTokens += reader.usage.completionTokens;
        usage.reasoningTokens += reader.usage.reasoningTokens;
        const { reason, isStuck, stopSequence } = reader;
        const why = { ...(stopSequence !== null && { stopSequence }), ...(isStuck && { isStuck }) };
        yield { type: 'finish', choice: index, reason, ...why };
      }
    }
    yield { type: 'done', usage };
  }

  requireTokenizer(): Promise<never> {
    return Promise.reject(noTokenizer());
  }

  tokenize(): Promise<never> {
    return this.requireTokenizer();
  }

  detokenize(): never {
    throw noTokenizer();
  }
}

/**
 * Generates one choice. After the generator has ended, even by an error, llama.cpp can accept the next request.
 * @throws ApiError; the signal's reason.
 */
async function* generateChoice(
  { wllama, lost, entry, gpu, hasLongSteps, end }: LoadedModel,
  request: LlamaRequest,
  reader: ChunkReader,
  isRaw: boolean,
  signal: AbortSignal,
): AsyncGenerator<DeltaEvent | PrefillEvent, undefined> {
  // It may have been aborted while the previous answer of the same request ended.
  signal.throwIfAborted();
  const abort = new AbortController();
  const hasImages = hasImagesIn(request);
  let endTimer: ReturnType<typeof setTimeout> | undefined;
  const onAbort = () => {
    abort.abort();
    // No other answer is lost with the worker: a model with an image encoder answers one request at a time.
    if (hasImages || hasLongSteps) endTimer = setTimeout(end, ABORT_TIMEOUT);
  };
  signal.addEventListener('abort', onAbort, { once: true });
  const options = {
    ...request,
    return_progress: hasImages || lengthOfPrompt(request) > QUIET_LENGTH[gpu === null ? 'cpu' : 'gpu'],
    stream: true,
    abortSignal: abort.signal,
  };
  const create = ('prompt' in request ? wllama.createCompletion : wllama.createChatCompletion) as (
    options: object,
  ) => Promise<AsyncIterable<LlamaChunk>>;
  const chunks = (await create.call(wllama, options))[Symbol.asyncIterator]();
  let isOver = false;
  let mayEncode = hasImages;
  const life = new SignOfLife();
  try {
    for (;;) {
      const next = withAbort(chunks.next(), lost);
      const { done, value } = mayEncode ? yield* withEncodingEvents(next) : await next;
      isOver = done === true;
      if (isOver) break;
      const { prompt_progress: prefill } = value as LlamaChunk;
      if (prefill) yield { type: 'prefill', tokens: prefill.processed - prefill.cache };
      for (const event of life.after(reader.read(value as LlamaChunk))) {
        // The length of the prompt is reported before its images are encoded.
        mayEncode &&= event.type !== 'delta';
        yield event;
      }
      if (reader.isComplete) break;
    }
    yield* reader.end();
    return undefined;
  } catch (thrown) {
    isOver = true;
    signal.throwIfAborted();
    lost.throwIfAborted();
    throw generationError(thrown, entry, isRaw ? 'prompt' : 'messages', reader.hasLogprobs);
  } finally {
    signal.removeEventListener('abort', onAbort);
    abort.abort();
    // wllama cancels the request after the current step. Until then the request occupies a slot of llama.cpp.
    while (!isOver) {
      isOver = await withAbort(chunks.next(), lost).then(
        ({ done }) => done === true,
        () => true,
      );
    }
    clearTimeout(endTimer);
  }
}

/** How many requests a model answers at once. */
function parallelOf(entry: ModelEntry | undefined): number {
  return entry?.parallel ?? 1;
}

function templateTokens(wllama: Wllama, added: readonly AddedToken[]): TemplateTokens {
  const textOf = (id: number) => added.find((token) => token.id === id)?.text ?? '';
  return { begin: textOf(wllama.getBOS()), end: textOf(wllama.getEOS()), addsBegin: wllama.mustAddBosToken() };
}

function hasImagesIn({ messages }: LlamaRequest): boolean {
  return Array.isArray(messages) && messages.some(({ content }: { content: unknown }) => Array.isArray(content));
}

function lengthOfPrompt(request: LlamaRequest): number {
  return JSON.stringify(request['messages'] ?? request['prompt']).length;
}

function idOf(model: LoadedModel | null): string | null {
  return model === null || model.lost.aborted ? null : model.entry.id;
}

function memoryOf(files: readonly Blob[], header: GgufHeader, entry: ModelEntry): number {
  const bytes = files.reduce((sum, { size }) => sum + size, 0);
  return ggufMemory({ ...header, bytes }, entry.contextWindow, parallelOf(entry))!;
}

function required(model: LoadedModel | null): LoadedModel {
  if (model === null) throw new ApiError('model_not_loaded', 'No model is loaded.');
  model.lost.throwIfAborted();
  return model;
}

function noTokenizer(): ApiError {
  return new ApiError(
    'unsupported_value',
    '`model`: llama.cpp in WebAssembly does not show its tokens. `usage` of an answer has the number of its prompt.',
    { param: 'model' },
  );
}
