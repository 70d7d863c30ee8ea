import type { LoadedContextInfo, LoadModelParams, Wllama } from '@wllama/wllama';
import { ApiError } from '../../shared/api-error.ts';
import { createWllama, type WllamaModule } from '../../shared/models/create-wllama.ts';
import { llamaCppFiles, type LlamaCppFiles } from '../../shared/models/llama-cpp-files.ts';
import { withAbort } from '../../shared/timeout.ts';
import { trace } from '../../shared/trace/trace.ts';
import type { GgufPooling, MmprojHeader } from '../models/package/read-gguf-header.ts';
import type { PageWorker } from '../ports/start-worker-in-page.ts';
import { say } from '../strings/say.ts';
import { Complaints, sentenceOf } from './complaints.ts';
import { isGpuCorrect } from './is-gpu-correct.ts';
import { WorkerPort } from './worker-port.ts';

export interface RuntimeEnvironment {
  /** Address of the folder of llama.cpp's files, with a trailing slash. */
  readonly folder: () => string;
  /** Whether llama.cpp's program for 32-bit memories runs, because this browser's WebAssembly has no others. */
  readonly isCompat: boolean;
  readonly startWorker: (script: string) => Promise<PageWorker>;
  /** Imports wllama from an address. Default: `import()`. */
  readonly importWllama?: (address: string) => Promise<WllamaModule>;
  /** Milliseconds without a message of the worker after which a load fails. Default: 60,000. */
  readonly standstill?: number;
}

/**
 * Number of tokens that llama.cpp evaluates in one step of a prefill, by device. A prefill can be aborted only between
 * two steps.
 */
const BATCH = { cpu: 32, gpu: 512 } as const;

/**
 * Image encoders for whose language model the tokens of an image attend to each other in both directions (Gemma 3 and 4).
 * llama.cpp evaluates such an image in one step, and ends itself if the step is too small for that.
 */
const IN_ONE_STEP = /^gemma/;

/** Number of tokens of a step with such an image. Gemma 3 makes 256 of an image; llama.cpp lets Gemma 4 make no more. */
const IMAGE_BATCH = 512;

/** Matches llama.cpp's messages about an image encoder (names of its functions and parts), and the name of its file. */
const OF_ENCODER = /clip|mtmd|mmproj|multimodal|image encoder/i;

/** Matches a first message about the language model. Messages that follow from it may name the encoder. */
const OF_MODEL = /^\s*llama_/;

/** Matches the message by which WebAssembly ends a program for which no memory is left. */
const OUT_OF_MEMORY = /OOM|out of memory|enlarge memory/i;

/** llama.cpp does not accept the files of the model. A further load of the same files would fail, too. */
export class RefusedFilesError extends ApiError {}

/** llama.cpp does not accept the model's image encoder. The CPU would not accept it either. */
class EncoderError extends RefusedFilesError {}

/** Matches messages of llama.cpp about memory, of which there may be more at the next load. */
const OF_MEMORY = /alloc|OOM|(?:out of|enough|insufficient|no) (?:\w+ )?memory/i;

/** Stands for llama.cpp's message if there is none. */
const NO_REASON = 'it gave no reason';

/** More layers than any model has, so that all of them run on the GPU. */
const ALL_LAYERS = 99_999;

/** How a model is loaded. */
export interface LlamaCppSettings {
  /** Tokens. */
  readonly contextWindow: number;
  /** Whether the KV cache is kept in 8-bit numbers on the CPU. */
  readonly allows8BitCache: boolean;
  /** How an embedding model pools; null for a chat model. */
  readonly pooling: GgufPooling | null;
  /** Facts about the model's image encoder, the last file; null if there is none. */
  readonly mmproj: MmprojHeader | null;
  /** How many requests are answered at once. Each has a KV cache of the whole context window. */
  readonly parallel: number;
  /** False: the CPU computes, even if there is a graphics device. */
  readonly mayUseGpu: boolean;
  /**
   * Runs a check of the model on a graphics device, or knows its result from earlier. Resolves to whether the device
   * computes correctly.
   */
  readonly checkGpu: (gpu: string, check: () => Promise<boolean>) => Promise<boolean>;
  /** Called when the graphics device could not load the model, computed wrong results, or stopped llama.cpp later. */
  readonly onGpuFailure: () => void;
}

/** A model that llama.cpp has loaded in a worker of a page. */
export interface LlamaCppRuntime {
  readonly wllama: Wllama;
  readonly threads: number;
  /** Name of the graphics device that computes the model; null if the CPU does. */
  readonly gpu: string | null;
  /** Whether the worker may use threads. They need a cross-origin isolated page. */
  readonly isolated: boolean;
  /** Whether one step of a prefill takes many seconds, because the CPU computes more tokens in it than usual. */
  readonly hasLongSteps: boolean;
  /** Whether the model's file has a chat template. Without one, chats are put into ChatML. True for an embedding model. */
  readonly hasChatTemplate: boolean;
  /** Aborts when the worker or llama.cpp has ended; the reason is an ApiError. */
  readonly lost: AbortSignal;
  end(): void;
}

/** Returns {@link Engine.place} for a model. */
export function placeOf({
  gpu,
  threads,
  isolated,
  hasChatTemplate,
}: Pick<LlamaCppRuntime, 'gpu' | 'threads' | 'isolated' | 'hasChatTemplate'>): string {
  const device =
    gpu !== null ? `gpu; ${gpu}` : `cpu; threads=${threads}${isolated ? '' : '; not cross-origin isolated'}`;
  return `llama.cpp; ${device}${hasChatTemplate ? '' : '; no chat template'}`;
}

/**
 * Starts llama.cpp and loads a model: on the GPU if a suitable one exists and computes correctly ({@link
 * isGpuCorrect}), otherwise on the CPU.
 * @param files The model's file, or all its parts in order, and last the image encoder if the model has one.
 * @param report Called with the share of the files that has been read, 0…1.
 * @throws ApiError `engine_unavailable`, `model_load_failed`; the signal's reason.
 */
export async function startLlamaCpp(
  files: readonly Blob[],
  settings: LlamaCppSettings,
  environment: RuntimeEnvironment,
  report: (share: number) => void,
  signal: AbortSignal,
): Promise<LlamaCppRuntime> {
  const start = async () => {
    const worker = await environment.startWorker(filesOf(environment).worker);
    if (signal.aborted) worker.end();
    signal.throwIfAborted();
    return worker;
  };
  const worker = await start();
  if (worker.gpu === null || !settings.mayUseGpu)
    return loadModel(files, { ...settings, gpu: null }, worker, environment, report, signal);
  try {
    const runtime = await loadModel(files, { ...settings, gpu: worker.gpu }, worker, environment, report, signal);
    const check = () => isGpuCorrect(runtime.wllama, AbortSignal.any([runtime.lost, signal]));
    if (await settings.checkGpu(worker.gpu, check)) return runtime;
    trace('engine', 'the graphics processor computes wrong results with llama.cpp; the CPU takes over', worker.gpu);
    runtime.end();
  } catch (thrown) {
    // The page was closed or frozen, which says nothing about the graphics device.
    if (thrown === worker.lost.reason) throw thrown;
    worker.end();
    signal.throwIfAborted();
    if (thrown instanceof EncoderError) throw thrown;
    trace('engine', 'llama.cpp failed on the graphics processor; the CPU takes over', worker.gpu, String(thrown));
  }
  settings.onGpuFailure();
  return loadModel(files, { ...settings, gpu: null }, await start(), environment, report, signal);
}

async function loadModel(
  files: readonly Blob[],
  settings: LlamaCppSettings & { readonly gpu: string | null },
  worker: PageWorker,
  environment: RuntimeEnvironment,
  report: (share: number) => void,
  signal: AbortSignal,
): Promise<LlamaCppRuntime> {
  const { contextWindow, allows8BitCache, parallel, pooling, mmproj, gpu, onGpuFailure } = settings;
  const { importWllama = importModule, standstill = 60_000, isCompat } = environment;
  const llamaCpp = filesOf(environment);
  const module = await importWllama(llamaCpp.wllama);
  // Half of the logical processors, because most cores have two. More threads would be slower: llama.cpp's threads wait
  // for each other by spinning.
  const threads = worker.isolated ? Math.max(1, Math.floor(worker.cores / 2)) : 1;
  const runOptions = {
    pathConfig: { 'wllama.wasm': llamaCpp.wasm },
    nbThread: threads > 1 ? threads : 0,
    compat: isCompat,
    threadScript: llamaCpp.thread,
    useGpu: gpu !== null,
  };
  worker.port.postMessage({ runOptions });

  const complaints = new Complaints();
  const logger = {
    debug: () => complaints.other(),
    log: (text: unknown) => complaints.plain(String(text)),
    warn: () => complaints.other(),
    error: (text: unknown) => complaints.error(String(text)),
  };
  const wllama = createWllama(module, llamaCpp, isCompat, logger);
  // wllama checks whether its own context has threads, but llama.cpp runs in the page's worker. So the check is
  // replaced.
  Object.defineProperty(wllama, 'useMultiThread', { get: () => threads > 1, set: ignore });

  const ended = new AbortController();
  const lost = AbortSignal.any([worker.lost, ended.signal]);
  const size = files.reduce((sum, file) => sum + file.size, 0);
  let read = 0;
  let lastFile = '';
  /** Returns the error for a load that failed because of the image encoder; null if it failed otherwise. */
  const encoderError = (message: string) => {
    // llama.cpp reads the encoder last, and a damaged one can end it without a message that names the encoder.
    const isOfEncoder =
      mmproj !== null &&
      !OF_MODEL.test(complaints.all[0] ?? '') &&
      OF_ENCODER.test([...complaints.all, message, lastFile].join('\n'));
    return isOfEncoder ? encoderFailed(message, complaints) : null;
  };
  const port = new WorkerPort(worker, {
    standstill,
    onRead: (file, bytes) => {
      lastFile = file;
      report(Math.min(1, (read += bytes) / size));
    },
    onStandstill: () => ended.abort(new ApiError('model_load_failed', say('llamaCppStuck', standstill / 1000))),
    onCrash: (message) => {
      // A damaged file also makes llama.cpp end itself. Loading it again would not help.
      const isOfFile = port.isLoading && !OUT_OF_MEMORY.test(message);
      const error = (port.isLoading && encoderError(message)) || (isOfFile ? loadFailed : crashed)(message, complaints);
      if (gpu !== null && !(error instanceof EncoderError)) onGpuFailure();
      ended.abort(error);
    },
  });
  const batch = batchOf(gpu, mmproj);
  const parameters = {
    n_threads: threads,
    n_gpu_layers: gpu === null ? 0 : ALL_LAYERS,
    warmup: false,
    log_level: 4,
    ...(pooling === null
      ? {
          ...chatParameters(contextWindow, parallel, batch),
          ...(gpu === null && cpuCache(allows8BitCache, mmproj !== null)),
        }
      : embeddingParameters(contextWindow, pooling)),
  } as const;
  try {
    port.replaceGlobalWorker();
    await withAbort(withAbort(wllama.loadModel([...files], parameters), lost), signal);
    port.stopWatch();
    // wllama also resolves if llama.cpp has refused the model, for example for its chat template.
    const { success } = wllama.getLoadedContextInfo() as LoadedContextInfo & { readonly success?: boolean };
    if (success === false) throw new Error(NO_REASON);
    if (mmproj !== null && !wllama.supportInputModality('image')) throw new Error('it has no image encoder');
    complaints.clear();
    return {
      wllama,
      threads,
      gpu,
      isolated: worker.isolated,
      hasLongSteps: gpu === null && batch > BATCH.cpu,
      hasChatTemplate: pooling !== null || wllama.getChatTemplate() !== null,
      lost,
      end: () => worker.end(),
    };
  } catch (thrown) {
    port.stopWatch();
    worker.end();
    signal.throwIfAborted();
    trace('engine', 'llama.cpp did not load the model', String(thrown), ...complaints.all);
    if (thrown instanceof ApiError) throw thrown;
    const message = thrown instanceof Error ? thrown.message : String(thrown);
    throw encoderError(message) ?? loadFailed(message, complaints);
  }
}

function filesOf({ folder, isCompat }: RuntimeEnvironment): LlamaCppFiles {
  return llamaCppFiles(folder(), isCompat);
}

function batchOf(gpu: string | null, mmproj: MmprojHeader | null): number {
  const usual = gpu === null ? BATCH.cpu : BATCH.gpu;
  return mmproj?.projector && IN_ONE_STEP.test(mmproj.projector) ? Math.max(usual, IMAGE_BATCH) : usual;
}

function chatParameters(contextWindow: number, parallel: number, batch: number): Partial<LoadModelParams> {
  return {
    n_ctx: contextWindow * parallel,
    n_parallel: parallel,
    // In a KV cache that the requests share, one request could take all the space, and llama.cpp would end the others.
    kv_unified: false,
    n_batch: batch,
    // On the graphics device nothing would show that an image was encoded wrong.
    mmproj_offload: false,
    jinja: true,
    reasoning_format: 'deepseek',
  };
}

/**
 * Parameters of the KV cache on the CPU. On the GPU llama.cpp chooses.
 * Flash attention over 16-bit numbers, llama.cpp's default, is slow in WebAssembly, which cannot compute with them.
 * Times of SmolLM2-135M are in decision 0018, what 8 bits change in the answers in decisions 0022 and 0024.
 */
function cpuCache(allows8Bits: boolean, seesImages: boolean): Partial<LoadModelParams> {
  if (allows8Bits) return { cache_type_k: 'q8_0', cache_type_v: 'q8_0', flash_attn: true };
  // Without flash attention an image encoder, which gets the same setting, could need gigabytes for one image.
  return seesImages ? {} : { flash_attn: false };
}

/** Parameters of an embedding model. A text is pooled in one step, so the step is as large as the context window. */
function embeddingParameters(contextWindow: number, pooling: GgufPooling): Partial<LoadModelParams> {
  return {
    n_ctx: contextWindow,
    n_parallel: 1,
    n_batch: contextWindow,
    n_ubatch: contextWindow,
    embeddings: true,
    pooling_type: pooling,
  };
}

function importModule(address: string): Promise<WllamaModule> {
  return import(/* @vite-ignore */ address);
}

function ignore(): void {}

/** The error for a loaded model whose llama.cpp has ended. The next request loads it again. */
function crashed(message: string, complaints: Complaints): ApiError {
  const reason = message.trim() || (complaints.assertion ?? complaints.all.at(-1) ?? NO_REASON);
  const cause = causeOf(message, complaints);
  return new ApiError('engine_unavailable', say('llamaCppStopped', sentenceOf(reason)), { retryAfter: 1, cause });
}

function loadFailed(message: string, complaints: Complaints): ApiError {
  const cause = causeOf(message, complaints);
  const Class = OF_MEMORY.test(cause) ? ApiError : RefusedFilesError;
  return new Class('model_load_failed', say('llamaCppRefused', firstSentence(message, complaints)), { cause });
}

function encoderFailed(message: string, complaints: Complaints): EncoderError {
  const cause = causeOf(message, complaints);
  const sentence = /mismatch between text model/.test(cause)
    ? say('encoderOfOtherModel')
    : say('llamaCppRefusedEncoder', firstSentence(message, complaints));
  return new EncoderError('model_load_failed', sentence, { cause });
}

/** Returns llama.cpp's first error message, which names the fault; later messages are its consequences. */
function firstSentence(message: string, { all: [first], assertion }: Complaints): string {
  return sentenceOf(first ?? assertion ?? message);
}

function causeOf(message: string, { all, assertion }: Complaints): string {
  return [...all, assertion ?? '', message].filter((part) => part !== '').join('\n');
}
