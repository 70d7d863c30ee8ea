import type * as wllamaModule from '@wllama/wllama';
import { timeChunks, type AnswerTimes, type MeasuredChunk } from '../../shared/measuring/time-chunks.ts';
import { createWllama, type WllamaModule } from '../../shared/models/create-wllama.ts';
import { llamaCppFiles } from '../../shared/models/llama-cpp-files.ts';
import { has64BitMemory } from '../../shared/web-assembly-features.ts';
import { withAbort } from '../../shared/timeout.ts';
import type { MeasuredRequest, Side } from './side.ts';
import { withWorkerOfSite, type WllamaOptions } from './wllama-worker.ts';

/** Options of each way to run wllama, by name. "All threads" means `navigator.hardwareConcurrency`. */
const WAYS = {
  'wllama-1': () => ({ threads: 1, webgpu: false }),
  'wllama-all': () => ({ threads: navigator.hardwareConcurrency, webgpu: false }),
  'wllama-webgpu': () => ({ threads: 1, webgpu: true }),
} as const satisfies Record<string, () => Omit<WllamaOptions, 'isCompat'>>;

export type WllamaName = keyof typeof WAYS;

/** The number of layers that makes llama.cpp put all layers on the GPU. */
const ALL_LAYERS = 99_999;

/** The parts of a GGUF model that wllama needs. */
export interface WllamaModel {
  /** Folder of llama.cpp's files, with a trailing slash. */
  readonly folder: string;
  readonly files: readonly Blob[];
  /** Tokens. */
  readonly contextWindow: number;
}

/**
 * The package wllama without this endpoint, with its defaults except for threads, layers on the GPU and context window.
 */
export class WllamaSide implements Side {
  readonly name: WllamaName;
  readonly #model: WllamaModel;
  #wllama: wllamaModule.Wllama | null = null;

  constructor(name: WllamaName, model: WllamaModel) {
    this.name = name;
    this.#model = model;
  }

  async load(signal: AbortSignal): Promise<void> {
    const { folder, files: blobs, contextWindow } = this.#model;
    const options = { ...WAYS[this.name](), isCompat: !has64BitMemory() };
    const files = llamaCppFiles(folder, options.isCompat);
    const module = (await import(/* @vite-ignore */ files.wllama)) as WllamaModule;
    const quiet = { debug: ignore, log: ignore, warn: ignore, error: ignore };
    const wllama = createWllama(module, files, options.isCompat, quiet);
    this.#wllama = wllama;
    const loading = withWorkerOfSite(files, options, () =>
      wllama.loadModel([...blobs], {
        n_ctx: contextWindow,
        n_threads: options.threads,
        n_gpu_layers: options.webgpu ? ALL_LAYERS : 0,
      }),
    );
    await withAbort(loading, signal);
  }

  answer({ schema, ...request }: MeasuredRequest, _goesOn: boolean, signal: AbortSignal): Promise<AnswerTimes> {
    const wllama = this.#wllama;
    if (wllama === null) throw new Error('No model is loaded.');
    const options = {
      ...request,
      ...(schema && { response_format: { type: 'json_schema', json_schema: { schema } } }),
      stream: true,
      stream_options: { include_usage: true },
      abortSignal: signal,
    };
    const create = wllama.createChatCompletion as (options: object) => Promise<AsyncIterable<MeasuredChunk>>;
    return timeChunks(async function* () {
      yield* await create.call(wllama, options);
    });
  }

  async unload(): Promise<void> {
    const wllama = this.#wllama;
    this.#wllama = null;
    await wllama?.exit();
  }
}

function ignore(): void {}
