import type { MLCEngineConfig, MLCEngineInterface } from '@mlc-ai/web-llm';
import type { ModelEntry } from '../../shared/model-entry.ts';
import type { LoadingProgress } from '../../shared/engine.ts';
import { verbatimTemplate } from './chat-template.ts';
import { loadError, outOfMemoryError } from './engine-error.ts';
import { LoadingReporter } from './loading-progress.ts';
import { engineLibraryUrl, engineModelUrl } from './package-address.ts';
import { preparePackage, type PreparedPackage } from './prepare-package.ts';
import { systemPrefix } from './system-prefix.ts';
import { watchDevice, type WatchedEngine } from './watch-device.ts';

export type NewEngine = (config: MLCEngineConfig) => MLCEngineInterface | Promise<MLCEngineInterface>;

/** A model on the graphics device, with everything a generation needs. */
export interface LoadedModel extends PreparedPackage, WatchedEngine {
  readonly entry: ModelEntry;
  readonly engine: MLCEngineInterface;
}

/**
 * Puts a model on the graphics device, in a WebLLM engine of its own: whatever happened to an earlier
 * engine, a lost device included, cannot touch this one.
 *
 * An abort ends a download at once. The device's part runs to its end first, since WebLLM can free only
 * what it has finished loading.
 *
 * @throws ApiError `model_load_failed` or `gpu_unavailable`; the signal's reason.
 */
export async function loadModel(
  entry: ModelEntry,
  newEngine: NewEngine,
  report: (progress: LoadingProgress) => void,
  signal: AbortSignal,
): Promise<LoadedModel> {
  signal.throwIfAborted();
  const reporter = new LoadingReporter(report);
  const prepared = await preparePackage(entry, (transfer) => reporter.download(transfer), signal);
  try {
    const record = {
      model: engineModelUrl(entry.modelUrl),
      model_id: entry.id,
      model_lib: engineLibraryUrl(entry.libraryUrl),
      ...(entry.images ? { model_type: 2 } : {}),
    };
    const engine = await newEngine({
      appConfig: { model_list: [record], cacheBackend: 'cache' },
      initProgressCallback: (progress) => reporter.engine(progress),
    });
    const { arm, ...watched } = watchDevice(engine);
    const { engineTokens } = systemPrefix(prepared.template, prepared.control);
    await engine.reload(entry.id, {
      conv_config: { ...verbatimTemplate(), ...(engineTokens === 0 ? { system_prefix_token_ids: [] } : {}) },
      context_window_size: entry.contextWindow,
      sliding_window_size: -1,
    });
    if (signal.aborted) await watched.unload();
    signal.throwIfAborted();
    // `reload` also returns when it was given up; only a model that is there has a message.
    await engine.getMessage(entry.id).catch((thrown: unknown) => {
      throw outOfMemoryError(entry.id, thrown);
    });
    arm();
    return { ...prepared, ...watched, entry, engine };
  } catch (thrown) {
    signal.throwIfAborted();
    throw loadError(entry.id, thrown);
  }
}
