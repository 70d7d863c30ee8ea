import type { LoadingProgress } from '../../../shared/engine/engine.ts';
import type { ModelEntry } from '../../../shared/models/model-entry.ts';
import { outOfMemoryError } from '../errors/engine-error.ts';
import { openModel, type LoadEnvironment, type ModelKind, type OpenedModel } from './open-model.ts';
import type { PipelineTokenizer } from '../extensions/token-prompts.ts';

/** A model that computes embeddings, on the graphics device. */
export interface LoadedEmbeddingModel extends OpenedModel {
  readonly pipeline: EmbeddingPipeline;
}

/** What is used of WebLLM's own object for such a model, beside what its engine offers. */
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
  async equip(opened) {
    const pipeline: EmbeddingPipeline = opened.pipeline;
    // `reload` also returns when it was given up, and a lost device unloads what was loaded.
    if (pipeline.maxBatchSize !== undefined) return { ...opened, pipeline };
    throw outOfMemoryError(opened.entry.id, Object.assign(new Error(), { name: 'ModelNotLoadedError' }));
  },
};
