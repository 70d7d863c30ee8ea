import type * as webLlm from '@mlc-ai/web-llm';
import { ApiError } from '../../../shared/api-error.ts';
import { isBuiltIn } from '../../../shared/models/built-in-models.ts';
import { engineUnavailable } from '../../../shared/engine/engine-errors.ts';
import type { ExtensionStatus, LoadingProgress } from '../../../shared/engine/engine.ts';
import type { ModelEntry } from '../../../shared/models/model-entry.ts';
import { MODEL_CACHES } from '../../models/package/package-file.ts';
import { ENGINE_EXTENSIONS } from '../extensions/extensions.ts';
import { applyExtensions } from '../pipeline/apply-extensions.ts';
import type { ExtendedModel } from '../pipeline/extension.ts';
import { damagedFile, damagedTokenizer } from './damaged-file.ts';
import { isLibraryFault, loadError } from '../errors/webllm-errors.ts';
import { say } from '../../strings/say.ts';
import { LoadingReporter } from './loading-progress.ts';
import { modelRecord } from './model-record.ts';
import { preparePackage, type PreparedPackage } from './prepare-package.ts';
import type { WatchedEngine } from '../extensions/watch-device.ts';

/** The exports of WebLLM's package that this project uses. */
export type WebLlm = Pick<typeof webLlm, 'MLCEngine' | 'prebuiltAppConfig'>;

/** External dependencies of loading a model. */
export interface LoadEnvironment extends Pick<
  ExtendedModel,
  'gpuName' | 'checks' | 'promptMemory' | 'smallVocabulary'
> {
  readonly loadWebLlm: () => Promise<WebLlm>;
}

/** What the extensions need besides the loaded model. */
interface EquipEnvironment extends LoadEnvironment, Pick<ExtendedModel, 'onCheckStep'> {}

/** A model that WebLLM has loaded on the graphics device. */
export interface OpenedModel extends PreparedPackage, WatchedEngine {
  readonly entry: ModelEntry;
  readonly engine: webLlm.MLCEngineInterface;
  /** WebLLM's internal object for the model; an empty object if this version of WebLLM does not expose it. */
  readonly pipeline: object;
  /** For each extension of WebLLM (see `extension.ts`), whether it is on. */
  readonly extensions: readonly ExtensionStatus[];
}

/** The steps of loading that differ between chat models and embedding models. */
export interface ModelKind<Model> {
  /** Returns settings for WebLLM that override the package's configuration. */
  options(prepared: PreparedPackage, entry: ModelEntry): webLlm.ChatOptions;
  /** Prepares a loaded model for requests. @throws if WebLLM has not loaded the model although it reported success. */
  equip(opened: OpenedModel, environment: EquipEnvironment): Promise<Model>;
}

/**
 * Downloads a model if necessary and loads it on the graphics device. Each model gets a new WebLLM engine, so the
 * failure of an earlier engine, such as a lost device, does not affect it.
 *
 * An abort cancels a download immediately. It does not interrupt the load on the device, because WebLLM can free only a
 * model that it has finished loading.
 *
 * @throws ApiError `model_load_failed` if the model cannot be loaded, `gpu_unavailable` if the device is not suitable,
 * `engine_unavailable` if WebLLM's script cannot be fetched; the signal's reason if it aborts.
 */
export async function openModel<Model>(
  kind: ModelKind<Model>,
  entry: ModelEntry,
  environment: LoadEnvironment,
  report: (progress: LoadingProgress) => void,
  signal: AbortSignal,
): Promise<Model> {
  const reporter = new LoadingReporter(report);
  const libraries = await caches.open(MODEL_CACHES.library);
  const isLibraryHere = async () => (await libraries.match(entry.libraryUrl)) !== undefined;
  const wasHere = await isLibraryHere();
  try {
    return await tryToOpen(kind, entry, environment, reporter, signal);
  } catch (thrown) {
    signal.throwIfAborted();
    // Retries only if that can help: if the cached model library was at fault, tryToOpen has deleted it, and the second
    // attempt fetches it again.
    if (!wasHere || (await isLibraryHere())) throw thrown;
    return tryToOpen(kind, entry, environment, reporter, signal);
  }
}

async function tryToOpen<Model>(
  kind: ModelKind<Model>,
  entry: ModelEntry,
  environment: LoadEnvironment,
  reporter: LoadingReporter,
  signal: AbortSignal,
): Promise<Model> {
  signal.throwIfAborted();
  const script = environment.loadWebLlm().catch((cause: unknown) => {
    throw engineUnavailable(say('webLlmUnreachable'), 5, cause);
  });
  // Handles the rejection until the code below awaits `script` and gets the error.
  script.catch(() => {});
  const recordOf = async () => modelRecord(entry, (await script).prebuiltAppConfig.model_list);
  // A built-in model has no manifest, so its files are checked while WebLLM's script is still being fetched. For other
  // models WebLLM's catalogue, which is in the script, names the manifest.
  const manifest = isBuiltIn(entry.id) ? null : ((await recordOf()).model_manifest ?? null);
  const prepared = await preparePackage(entry, manifest, (transfer) => reporter.download(transfer), signal);
  const record = await recordOf();
  const { MLCEngine } = await script;
  signal.throwIfAborted();
  // True once WebLLM reports progress. It has then instantiated the model library and read the tokenizer.
  let weightsBegun = false;
  try {
    const engine = new MLCEngine({
      appConfig: { model_list: [record], cacheBackend: 'cache' },
      initProgressCallback(progress) {
        weightsBegun = true;
        reporter.engine(progress);
      },
    });
    const around = { ...environment, onCheckStep: (step: number, steps: number) => reporter.checking(step, steps) };
    const model = { ...prepared, ...around, entry };
    const { handles, extensions } = await applyExtensions({ engine }, ENGINE_EXTENSIONS, model);
    const watch = handles['watch-device'];
    if (watch === undefined) throw new Error('The loss of the graphics processor would go unnoticed.');
    const { arm, ...watched } = watch;
    await engine.reload(entry.id, kind.options(prepared, entry));
    const opened = { ...prepared, ...watched, extensions, entry, engine, pipeline: pipelineOf(engine, entry.id) };
    const equipped = await kind.equip(opened, around).catch(async (thrown: unknown) => {
      if (signal.aborted) await watched.unload();
      throw thrown;
    });
    if (signal.aborted) await watched.unload();
    signal.throwIfAborted();
    arm();
    reporter.ready();
    return equipped;
  } catch (thrown) {
    signal.throwIfAborted();
    const error = loadError(entry.id, thrown);
    if (isDeviceFault(error, thrown)) throw error;
    const damaged = await damagedFile(prepared.files);
    const tokenizerTrap = !weightsBegun && (thrown as Error).name === 'RuntimeError';
    // The library's size and checksum are unknown, so it cannot be verified. Deleting it makes the next load fetch it.
    if (isLibraryFault(thrown)) await (await caches.open(MODEL_CACHES.library)).delete(entry.libraryUrl);
    throw damaged ?? (tokenizerTrap ? await damagedTokenizer(prepared.files, thrown) : error);
  }
}

/** Reads WebLLM's internal object for a model from a private field of the engine. */
function pipelineOf(engine: webLlm.MLCEngineInterface, model: string): object {
  const { loadedModelIdToPipeline: pipelines } = engine as unknown as {
    readonly loadedModelIdToPipeline?: ReadonlyMap<string, object>;
  };
  return pipelines?.get(model) ?? {};
}

/** Whether a load failed for another reason than its files. Then gigabytes of files need not be verified. */
function isDeviceFault({ code }: ApiError, thrown: unknown): boolean {
  return thrown instanceof ApiError || code === 'gpu_unavailable' || (thrown as Error).name === 'DeviceLostError';
}
