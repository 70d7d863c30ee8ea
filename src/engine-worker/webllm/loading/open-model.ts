import type * as webLlm from '@mlc-ai/web-llm';
import { ApiError } from '../../../shared/api-error.ts';
import { isBuiltIn } from '../../../shared/models/built-in-models.ts';
import { engineUnavailable } from '../../../shared/engine/engine-errors.ts';
import type { ExtensionStatus, LoadingProgress } from '../../../shared/engine/engine.ts';
import type { ModelEntry } from '../../../shared/models/model-entry.ts';
import { engineLibraryUrl, engineModelUrl, isCopyOf } from '../../models/package/package-address.ts';
import { MODEL_CACHES } from '../../models/package/package-file.ts';
import { ENGINE_EXTENSIONS } from '../extensions/extensions.ts';
import { applyExtensions } from '../pipeline/apply-extensions.ts';
import type { ExtendedModel } from '../pipeline/extension.ts';
import { damagedFile, damagedTokenizer } from './damaged-file.ts';
import { isLibraryFault, loadError } from '../errors/engine-error.ts';
import { LoadingReporter } from './loading-progress.ts';
import { preparePackage, type PreparedPackage } from './prepare-package.ts';
import type { WatchedEngine } from '../extensions/watch-device.ts';

/** What the adapter uses of WebLLM's package. */
export type WebLlm = Pick<typeof webLlm, 'MLCEngine' | 'prebuiltAppConfig'>;

/** What a load uses of the world around it. */
export interface LoadEnvironment extends Pick<ExtendedModel, 'gpuName' | 'checks' | 'promptMemory'> {
  readonly loadWebLlm: () => Promise<WebLlm>;
}

/** A model on the graphics device, as WebLLM has put it there. */
export interface OpenedModel extends PreparedPackage, WatchedEngine {
  readonly entry: ModelEntry;
  readonly engine: webLlm.MLCEngineInterface;
  /** WebLLM's object for the model; empty if this WebLLM keeps it elsewhere. */
  readonly pipeline: object;
  /** The extensions of WebLLM, on and off. */
  readonly extensions: readonly ExtensionStatus[];
}

/** What differs between models that write and those that compute embeddings. */
export interface ModelKind<Model> {
  /** What WebLLM is to do otherwise than the package says. */
  options(prepared: PreparedPackage, entry: ModelEntry): webLlm.ChatOptions;
  /** Makes a model ready to answer. @throws whatever shows that WebLLM has not loaded it. */
  equip(opened: OpenedModel, environment: LoadEnvironment): Promise<Model>;
}

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
    // The copy on this device was to blame and has been deleted: the server's may be whole.
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
    throw engineUnavailable(
      'The engine itself could not be fetched from this site, whose server may be away. Check the network; trying again may help.',
      5,
      cause,
    );
  });
  // Whoever waits for it hears of it.
  script.catch(() => {});
  const recordOf = async () => modelRecord(entry, (await script).prebuiltAppConfig.model_list);
  // A built-in model's files are looked at while the script is fetched; of another, WebLLM's catalogue names the manifest.
  const manifest = isBuiltIn(entry.id) ? null : ((await recordOf()).model_manifest ?? null);
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
    const model = { ...prepared, ...environment, entry };
    const { handles, extensions } = await applyExtensions({ engine }, ENGINE_EXTENSIONS, model);
    const watch = handles['watch-device'];
    if (watch === undefined) throw new Error('The loss of the graphics device would go unnoticed.');
    const { arm, ...watched } = watch;
    await engine.reload(entry.id, kind.options(prepared, entry));
    const opened = { ...prepared, ...watched, extensions, entry, engine, pipeline: pipelineOf(engine, entry.id) };
    const equipped = await kind.equip(opened, environment).catch(async (thrown: unknown) => {
      if (signal.aborted) await watched.unload();
      throw thrown;
    });
    if (signal.aborted) await watched.unload();
    signal.throwIfAborted();
    arm();
    return equipped;
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

function pipelineOf(engine: webLlm.MLCEngineInterface, model: string): object {
  const { loadedModelIdToPipeline: pipelines } = engine as unknown as {
    readonly loadedModelIdToPipeline?: ReadonlyMap<string, object>;
  };
  return pipelines?.get(model) ?? {};
}

/** Then the files are not to blame, and gigabytes of them need not be read again. */
function isDeviceFault({ code }: ApiError, thrown: unknown): boolean {
  return thrown instanceof ApiError || code === 'gpu_unavailable' || (thrown as Error).name === 'DeviceLostError';
}

/** WebLLM's own record, where it has one, tells how to run the model and what it asks of the device. */
function modelRecord(
  { id, modelUrl, libraryUrl, images, embedding }: ModelEntry,
  catalogue: readonly webLlm.ModelRecord[],
): webLlm.ModelRecord {
  const known = catalogue.find((record) => record.model_id === id && isCopyOf(libraryUrl, record.model_lib));
  return {
    // A vision-language model; of the others WebLLM takes no images.
    ...(images ? { model_type: 2 } : {}),
    ...(embedding ? { model_type: 1 } : {}),
    ...known,
    model_id: id,
    model: engineModelUrl(modelUrl),
    model_lib: engineLibraryUrl(libraryUrl),
  };
}
