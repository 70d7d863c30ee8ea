import type { LoadingProgress } from '../../../shared/engine/engine.ts';
import type { ModelEntry } from '../../../shared/models/model-entry.ts';
import { outOfMemoryError } from '../errors/webllm-errors.ts';
import { EMBEDDING_EXTENSIONS } from '../extensions/extensions.ts';
import { applyExtensions } from '../pipeline/apply-extensions.ts';
import type { PipelineTokenizer } from '../pipeline/webllm-pipeline.ts';
import { openModel, type LoadEnvironment, type ModelKind, type OpenedModel } from './open-model.ts';

export interface LoadedEmbeddingModel extends OpenedModel {
  readonly pipeline: EmbeddingPipeline;
}

/** The used members of WebLLM's class `EmbeddingPipeline` (0.2.86), its object for an embedding model. */
interface EmbeddingPipeline {
  readonly tokenizer?: PipelineTokenizer;
  /** Maximum number of texts in one batch. */
  readonly maxBatchSize?: number;
}

/** Loads an embedding model; see {@link openModel}. */
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
    // WebLLM's `reload` also resolves if it was interrupted, or if a lost device has unloaded the model. Only a loaded
    // model has a batch size.
    if (pipeline.maxBatchSize === undefined)
      throw outOfMemoryError(opened.entry.id, Object.assign(new Error(), { name: 'ModelNotLoadedError' }));
    const { extensions } = await applyExtensions(pipeline, EMBEDDING_EXTENSIONS, { ...opened, ...environment });
    return { ...opened, pipeline, extensions: [...opened.extensions, ...extensions] };
  },
};
