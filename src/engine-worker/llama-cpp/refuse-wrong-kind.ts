import { ApiError } from '../../shared/api-error.ts';
import type { ModelEntry } from '../../shared/models/model-entry.ts';
import type { GgufHeader } from '../models/gguf/read-gguf-header.ts';
import { ggufStrings } from '../strings/gguf.ts';

/**
 * Compares what a model is said to be with its file. They differ if the site's options are wrong, or if the model was
 * added by a build that did not read this part of the header.
 * @throws ApiError `model_load_failed` with a remedy.
 */
export function refuseWrongKind({ id, embedding }: ModelEntry, { pooling, dimensions }: GgufHeader): void {
  const fault =
    pooling === 'rank'
      ? ggufStrings.isRankingModel(id)
      : pooling === null
        ? embedding && ggufStrings.isChatModel(id)
        : embedding?.dimensions !== dimensions && ggufStrings.isEmbeddingModel(id, dimensions ?? 0);
  if (fault) throw new ApiError('model_load_failed', fault, { param: 'model' });
}
