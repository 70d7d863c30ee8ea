import { ApiError } from '../../shared/api-error.ts';
import type { ModelEntry } from '../../shared/models/model-entry.ts';
import type { Exchange } from './exchange.ts';

/**
 * Finds the model of a request. The name is optional, because llama-server and vLLM serve one model. Default: the first
 * model of the list.
 */
export async function findModelOrFirst({ models, observer }: Exchange, name: string | null): Promise<ModelEntry> {
  const id = name ?? (await models.list())[0]?.id;
  if (id === undefined) throw new ApiError('model_not_found', 'This key may use no model.', { param: 'model' });
  const model = await models.find(id);
  observer?.modelNamed(model.id);
  return model;
}
