import type { ModelEntry } from '../../shared/models/model-entry.ts';
import type { Exchange } from '../http/exchange.ts';
import { jsonResponse } from '../http/http-responses.ts';

/**
 * `GET /models`: the models on this device that the key may use; with `?state=all` also those that could be downloaded. Works
 * without an engine.
 */
export async function listModels(exchange: Exchange): Promise<Response> {
  const data: object[] = (await exchange.models.list()).map(modelObject);
  if (new URL(exchange.request.url).searchParams.get('state') === 'all') {
    for (const { id, reason } of await exchange.models.listAbsent()) {
      const state = reason === 'not-downloaded' ? 'available' : 'downloading';
      // The other fields are in the model's package, which is not downloaded.
      data.push({ id, object: 'model', created: 0, owned_by: 'unknown', tabserve: { state } });
    }
  }
  return jsonResponse({ object: 'list', data });
}

/** Handles `GET /models/{id}`. */
export async function retrieveModel(exchange: Exchange, id: string): Promise<Response> {
  return jsonResponse(modelObject(await exchange.models.find(id)));
}

/** Returns a model in the API's form. Fields that the OpenAI API does not have are in `tabserve`. */
function modelObject(model: ModelEntry): object {
  const { embedding } = model;
  const writes = embedding === undefined;
  return {
    id: model.id,
    object: 'model',
    created: model.created,
    owned_by: model.ownedBy,
    context_window: model.contextWindow,
    default_temperature: model.defaultTemperature,
    default_top_p: model.defaultTopP,
    tabserve: {
      state: model.ofSite ? 'built-in' : 'downloaded',
      context_window: model.contextWindow,
      ...(embedding && { dimensions: embedding.dimensions }),
      capabilities: {
        chat: writes,
        completions: writes,
        responses: writes,
        embeddings: !writes,
        images: model.images,
        tools: writes,
        thinking: model.thinking !== null,
      },
    },
  };
}
