import type * as webLlm from '@mlc-ai/web-llm';
import { ApiError } from '../../shared/api-error.ts';
import { engineUnavailable } from '../../shared/engine-errors.ts';
import type { ModelEntry } from '../../shared/model-entry.ts';
import { BUILT_IN_MODEL_ID } from '../../shared/built-in-model.ts';
import type { LoadingProgress } from '../../shared/engine.ts';
import { trace } from '../../shared/trace.ts';
import { compactJson } from './compact-json.ts';
import { systemPrefix, verbatimTemplate } from './chat-template.ts';
import { checkKeyValueCacheOnce, type CheckRecords } from './check-key-value-cache.ts';
import { sampleOnCpu, type SamplingPipeline } from './cpu-sampling.ts';
import { damagedFile, damagedTokenizer } from './damaged-file.ts';
import { decodeIncrementally, type DecodingPipeline } from './incremental-decoding.ts';
import { isLibraryFault, loadError, outOfMemoryError } from './engine-error.ts';
import { interruptiblePrefill, type PrefillPipeline } from './interruptible-prefill.ts';
import type { CachedPipeline, KeyValueCache } from './key-value-cache.ts';
import { LoadingReporter } from './loading-progress.ts';
import { engineLibraryUrl, engineModelUrl } from '../models/package-address.ts';
import { MODEL_CACHES } from '../models/package-file.ts';
import { acceptTokenPrompts, type PipelineTokenizer } from './token-prompts.ts';
import { preparePackage, type PreparedPackage } from './prepare-package.ts';
import { createPromptCache, type PromptCache } from './prompt-cache.ts';
import { watchDevice, type WatchedEngine } from './watch-device.ts';

/** What the adapter uses of WebLLM's package. */
export type WebLlm = Pick<typeof webLlm, 'MLCEngine' | 'prebuiltAppConfig'>;

/** What a load uses of the world around it. */
export interface LoadEnvironment {
  loadWebLlm(): Promise<WebLlm>;
  /** Name of the graphics device; empty where there is none. */
  gpuName(): Promise<string>;
  readonly checks: CheckRecords;
  /** Bytes that the conversations may take that are kept beside the last one. */
  readonly promptMemory: number;
}

/** A model on the graphics device, with everything a generation needs. */
export interface LoadedModel extends PreparedPackage, WatchedEngine {
  readonly entry: ModelEntry;
  readonly engine: webLlm.MLCEngineInterface;
  readonly pipeline: Pipeline;
  readonly promptCache: PromptCache;
  /** From now on an abort of this signal, the request's, ends the reading of a prompt. */
  abortPrefillWith(signal: AbortSignal): void;
  /** The next request gets so many alternatives for each token, where it wants any. Null where it gets five at most. */
  readonly wantAlternatives: ((count: number) => void) | null;
  /** A prompt for WebLLM that it turns into these tokens. Absent where it keeps its tokenizer elsewhere. */
  readonly tokenPrompt?: (tokens: readonly number[]) => string;
}

/** What is used of WebLLM's own object for a loaded model, beside what its engine offers. */
type Pipeline = PrefillPipeline &
  DecodingPipeline &
  SamplingPipeline &
  CachedPipeline & { readonly tokenizer?: PipelineTokenizer; contextWindowSize?: number };

/**
 * Puts a model on the graphics device, in a WebLLM engine of its own: whatever happened to an earlier
 * engine, a lost device included, cannot touch this one.
 *
 * An abort ends a download at once. The device's part runs to its end first, since WebLLM can free only
 * what it has finished loading.
 *
 * @throws ApiError `model_load_failed`, `gpu_unavailable`, or `engine_unavailable` where WebLLM itself cannot be fetched; the
 * signal's reason.
 */
export async function loadModel(
  entry: ModelEntry,
  environment: LoadEnvironment,
  report: (progress: LoadingProgress) => void,
  signal: AbortSignal,
): Promise<LoadedModel> {
  const reporter = new LoadingReporter(report);
  const libraries = await caches.open(MODEL_CACHES.library);
  const isLibraryHere = async () => (await libraries.match(entry.libraryUrl)) !== undefined;
  const wasHere = await isLibraryHere();
  try {
    return await tryToLoad(entry, environment, reporter, signal);
  } catch (thrown) {
    signal.throwIfAborted();
    // The copy on this device was to blame and has been deleted: the server's may be whole.
    if (!wasHere || (await isLibraryHere())) throw thrown;
    return tryToLoad(entry, environment, reporter, signal);
  }
}

async function tryToLoad(
  entry: ModelEntry,
  { loadWebLlm, gpuName, checks, promptMemory }: LoadEnvironment,
  reporter: LoadingReporter,
  signal: AbortSignal,
): Promise<LoadedModel> {
  signal.throwIfAborted();
  const script = loadWebLlm().catch((cause: unknown) => {
    throw engineUnavailable(
      'The engine itself could not be fetched from this site, whose server may be away. Check the network; trying again may help.',
      5,
      cause,
    );
  });
  // Whoever waits for it hears of it.
  script.catch(() => {});
  const recordOf = async () => modelRecord(entry, (await script).prebuiltAppConfig.model_list);
  // The built-in model's files are looked at while the script is fetched; of another, WebLLM's catalogue names the manifest.
  const manifest = entry.id === BUILT_IN_MODEL_ID ? null : ((await recordOf()).model_manifest ?? null);
  const prepared = await preparePackage(entry, manifest, (transfer) => reporter.download(transfer), signal);
  const record = await recordOf();
  const { MLCEngine } = await script;
  signal.throwIfAborted();
  // WebLLM reports from the weights on. Before them it makes the library and reads the tokenizer.
  let weightsBegun = false;
  try {
    const engine = new MLCEngine({
      appConfig: { model_list: [record], cacheBackend: 'cache' },
      initProgressCallback(progress) {
        weightsBegun = true;
        reporter.engine(progress);
      },
    });
    const { arm, ...watched } = watchDevice(engine);
    const { engineTokens } = systemPrefix(prepared.template, prepared.control);
    await engine.reload(entry.id, {
      conv_config: { ...verbatimTemplate(), ...(engineTokens === 0 ? { system_prefix_token_ids: [] } : {}) },
      context_window_size: entry.contextWindow,
      sliding_window_size: -1,
    });
    const pipeline = pipelineOf(engine, entry.id);
    compactJson(pipeline);
    // Before prompts are cut into smaller chunks: it has to see each chunk that is read.
    const check = async (cache: KeyValueCache) => {
      const file = await (await caches.open(MODEL_CACHES.library)).match(entry.libraryUrl);
      const { vocabularySize } = prepared;
      return checkKeyValueCacheOnce(cache, { file, gpu: await gpuName(), vocabularySize }, checks);
    };
    const promptCache = await createPromptCache(pipeline, check, promptMemory);
    if (signal.aborted) await watched.unload();
    signal.throwIfAborted();
    // `reload` also returns when it was given up; only a model that is there has a message.
    await engine.getMessage(entry.id).catch((thrown: unknown) => {
      throw outOfMemoryError(entry.id, thrown);
    });
    // WebLLM counts what it has computed, and the last token of an answer is not computed any more.
    if (pipeline.contextWindowSize !== undefined) pipeline.contextWindowSize = entry.contextWindow - 1;
    if (!decodeIncrementally(pipeline)) trace('engine', 'decodes all of an answer for each token, as WebLLM does');
    const wantAlternatives = sampleOnCpu(pipeline, entry.id === BUILT_IN_MODEL_ID);
    if (!wantAlternatives) trace('engine', 'samples on the graphics device, as WebLLM does');
    const abortPrefillWith = interruptiblePrefill(pipeline, entry.id === BUILT_IN_MODEL_ID);
    const tokenPrompt = pipeline.tokenizer && acceptTokenPrompts(pipeline.tokenizer);
    arm();
    const made = { ...prepared, ...watched, entry, engine, pipeline, promptCache, abortPrefillWith, wantAlternatives };
    return tokenPrompt ? { ...made, tokenPrompt } : made;
  } catch (thrown) {
    signal.throwIfAborted();
    const error = loadError(entry.id, thrown);
    if (isDeviceFault(error, thrown)) throw error;
    const damaged = await damagedFile(prepared.files);
    const tokenizerTrap = !weightsBegun && (thrown as Error).name === 'RuntimeError';
    // A package tells neither size nor checksum of its library: the next load, or repair, fetches it anew.
    if (isLibraryFault(thrown)) await (await caches.open(MODEL_CACHES.library)).delete(entry.libraryUrl);
    throw damaged ?? (tokenizerTrap ? await damagedTokenizer(prepared.files, thrown) : error);
  }
}

/** An object without anything where this WebLLM keeps it elsewhere: then nothing is changed or looked up in it. */
function pipelineOf(engine: webLlm.MLCEngineInterface, model: string): Pipeline {
  const { loadedModelIdToPipeline: pipelines } = engine as unknown as {
    readonly loadedModelIdToPipeline?: ReadonlyMap<string, Pipeline>;
  };
  return pipelines?.get(model) ?? {};
}

/** Then the files are not to blame, and gigabytes of them need not be read again. */
function isDeviceFault({ code }: ApiError, thrown: unknown): boolean {
  return thrown instanceof ApiError || code === 'gpu_unavailable' || (thrown as Error).name === 'DeviceLostError';
}

/** WebLLM's own record, where it has one, tells how to run the model and what it asks of the device. */
function modelRecord(
  { id, modelUrl, libraryUrl, images }: ModelEntry,
  catalogue: readonly webLlm.ModelRecord[],
): webLlm.ModelRecord {
  const known = catalogue.find((record) => record.model_id === id && record.model_lib === libraryUrl);
  return {
    // A vision-language model; of the others WebLLM takes no images.
    ...(images ? { model_type: 2 } : {}),
    ...known,
    model_id: id,
    model: engineModelUrl(modelUrl),
    model_lib: engineLibraryUrl(libraryUrl),
  };
}
