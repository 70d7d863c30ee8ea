import { ApiError } from '../../shared/api-error.ts';
import type { ModelEntry } from '../../shared/models/model-entry.ts';
import type { Exchange } from './exchange.ts';
import { renameParam } from './rename-param.ts';

/**
 * Finds the embedding model of a request.
 * @param name Default: the first model of the list that computes embeddings.
 * @param param The field that has the name.
 * @throws ApiError `model_not_found`; `unsupported_value` for a model that writes text, or only ranks documents.
 */
export async function findEmbeddingModel(
  { models }: Exchange,
  name: string | null,
  param: string,
): Promise<ModelEntry> {
  if (name === null) {
    const first = (await models.list()).find(computes);
    if (first !== undefined) return first;
    throw new ApiError('model_not_found', 'This key may use no model that computes embeddings.', { param });
  }
  const model = await renameParam(models.find(name, true), 'model', param);
  if (computes(model)) return model;
  const sentence = `The model \`${model.id}\` ranks documents and computes no embeddings.`;
  throw new ApiError('unsupported_value', sentence, { param });
}

function computes({ embedding }: ModelEntry): boolean {
  return embedding !== undefined && !embedding.ranks;
}
