import type { ModelEntry } from '../shared/model-entry.ts';
import type { Exchange } from './exchange.ts';
import { jsonResponse } from './http-responses.ts';

/** `GET /models`: what the key may use on this device. The engine is not asked, so it answers at once. */
export async function listModels(exchange: Exchange): Promise<Response> {
  const models = await exchange.models.list();
  return jsonResponse({ object: 'list', data: models.map(modelObject) });
}

/** `GET /models/{id}` */
export async function retrieveModel(exchange: Exchange, id: string): Promise<Response> {
  return jsonResponse(modelObject(await exchange.models.find(id)));
}

/** A model as `/models` shows it. */
function modelObject(model: ModelEntry): object {
  return {
    id: model.id,
    object: 'model',
    created: model.created,
    owned_by: model.ownedBy,
    context_window: model.contextWindow,
    default_temperature: model.defaultTemperature,
    default_top_p: model.defaultTopP,
  };
}
