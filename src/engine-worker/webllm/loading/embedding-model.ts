import type { LoadingProgress } from '../../../shared/engine/engine.ts';
import type { ModelEntry } from '../../../shared/models/model-entry.ts';
import { outOfMemoryError } from '../errors/engine-error.ts';
import { EMBEDDING_EXTENSIONS } from '../extensions/extensions.ts';
import { applyExtensions } from '../pipeline/apply-extensions.ts';
import type { PipelineTokenizer } from '../pipeline/webllm-pipeline.ts';
import { openModel, type LoadEnvironment, type ModelKind, type OpenedModel } from './open-model.ts';

/** A model that computes embeddings, on the graphics device. */
export interface LoadedEmbeddingModel extends OpenedModel {
  readonly pipeline: EmbeddingPipeline;
}

/** WebLLM's object for such a model, as far as the adapter uses it. WebLLM 0.2.86 calls its class `EmbeddingPipeline`. */
interface EmbeddingPipeline {
  readonly tokenizer?: PipelineTokenizer;
  /** Texts that its library takes at once. */
  readonly maxBatchSize?: number;
}

/** Loads a model that computes embeddings; see {@link openModel}. */
export function loadEmbeddingModel(
  entry: ModelEntry,
  environment: LoadEnvironment,
  report: (progress: LoadingProgress) => void,
  signal: AbortSignal,
): Promise<LoadedEmbeddingModel> {
  return openModel(EMBEDDING_MODEL, entry, environment, report, signal);
}

const EMBEDDING_MODEL: ModelKind<LoadedEmbeddingModel> = {
  options: () => ({ sliding_window_size: -1 }),
  async equip(opened, environment) {
    const pipeline: EmbeddingPipeline = opened.pipeline;
    // `reload` also resolves when it was given up, and a lost device unloads what was loaded.
    if (pipeline.maxBatchSize === undefined)
      throw outOfMemoryError(opened.entry.id, Object.assign(new Error(), { name: 'ModelNotLoadedError' }));
    const { extensions } = await applyExtensions(pipeline, EMBEDDING_EXTENSIONS, { ...opened, ...environment });
    return { ...opened, pipeline, extensions: [...opened.extensions, ...extensions] };
  },
};
