import { findModelOrFirst } from '../http/find-model-or-first.ts';
import type { Exchange } from '../http/exchange.ts';
import { jsonResponse } from '../http/http-responses.ts';

/**
 * `GET /health`, as llama-server answers it: whether requests are accepted. A model loads with the first request for it, so
 * the answer does not depend on a model.
 */
export async function reportHealth(): Promise<Response> {
  return jsonResponse({ status: 'ok' });
}

/**
 * `GET /props?model=…`: llama-server's properties of a model, as far as they are known without loading it. Default: the
 * first model of the list.
 */
export async function reportProperties(exchange: Exchange): Promise<Response> {
  const name = new URL(exchange.request.url).searchParams.get('model');
  const model = await findModelOrFirst(exchange, name);
  const { defaultTemperature: temperature, defaultTopP: top_p, contextWindow: n_ctx } = model;
  return jsonResponse({
    default_generation_settings: { n_ctx, params: { temperature, top_p } },
    total_slots: model.parallel ?? 1,
    model_alias: model.id,
    model_path: model.id,
    modalities: { vision: model.images, audio: false },
    build_info: `Tabserve; ${exchange.settings.engineVersion}`,
  });
}
