import type { ModelEntry } from '../../shared/models/model-entry.ts';
import type { Exchange } from '../http/exchange.ts';
import { jsonResponse } from '../http/http-responses.ts';

/**
 * `GET /models`: what the key may use on this device; with `?state=all` also what could be downloaded. The engine is not
 * asked, so it answers at once.
 */
export async function listModels(exchange: Exchange): Promise<Response> {
  const data: object[] = (await exchange.models.list()).map(modelObject);
  if (new URL(exchange.request.url).searchParams.get('state') === 'all') {
    for (const { id, reason } of await exchange.models.listAbsent()) {
      const state = reason === 'not-downloaded' ? 'available' : 'downloading';
      // What else there is to tell stands in the package, which is not here yet.
      data.push({ id, object: 'model', created: 0, owned_by: 'unknown', tabserve: { state } });
    }
  }
  return jsonResponse({ object: 'list', data });
}

/** `GET /models/{id}` */
export async function retrieveModel(exchange: Exchange, id: string): Promise<Response> {
  return jsonResponse(modelObject(await exchange.models.find(id)));
}

/** A model as `/models` shows it. What the convention does not know is under a name of our own. */
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
