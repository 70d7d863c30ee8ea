import { createHash } from 'node:crypto';
import type { Endpoint } from './endpoint.ts';
import { DEFAULT_TAG, findModelId, modelsOf, requireModel, type Model } from './find-model.ts';
import { jsonResponse } from './json-response.ts';
import { readModel, type JsonObject } from './read-fields.ts';

/** Family and format of every model in the responses, because the endpoint does not report them. */
const FAMILY = 'tabserve';

/** Handles `GET /api/tags`: lists the models of `/v1/models`. */
export async function listModels(_: JsonObject, endpoint: Endpoint): Promise<Response> {
  const models = await modelsOf(endpoint);
  return jsonResponse({
    models: models.map((model) => {
      const name = model.id.includes(':') ? model.id : model.id + DEFAULT_TAG;
      // Clients compare the digests of a model to detect changes. The size is 0, because it is not known here.
      const digest = createHash('sha256').update(`${model.id} ${model.created}`).digest('hex');
      return { name, model: name, modified_at: modifiedAt(model), size: 0, digest, details: details() };
    }),
  });
}

/**
 * Handles `GET /api/ps`, the loaded models. The list is always empty, because the endpoint does not report which models
 * it has loaded.
 */
export async function listLoaded(_: JsonObject, endpoint: Endpoint): Promise<Response> {
  await modelsOf(endpoint);
  return jsonResponse({ models: [] });
}

/** Handles `POST /api/show`: the known facts about a model. */
export async function showModel(body: JsonObject, endpoint: Endpoint): Promise<Response> {
  const model = await requireModel(endpoint, await findModelId(endpoint, readModel(body)));
  const { context_length: contextLength, tabserve: { dimensions, capabilities: can = {} } = {} } = model;
  return jsonResponse({
    modelfile: `FROM ${model.id}`,
    parameters: '',
    template: '',
    license: '',
    modified_at: modifiedAt(model),
    details: details(),
    model_info: {
      'general.architecture': FAMILY,
      'general.basename': model.id,
      ...(contextLength === undefined ? {} : { [`${FAMILY}.context_length`]: contextLength }),
      ...(dimensions === undefined ? {} : { [`${FAMILY}.embedding_length`]: dimensions }),
    },
    capabilities: [
      ...(can.embeddings ? ['embedding'] : ['completion']),
      ...(can.images ? ['vision'] : []),
      ...(can.tools ? ['tools'] : []),
      ...(can.thinking ? ['thinking'] : []),
    ],
  });
}

/**
 * Handles `POST /api/pull`: succeeds for a model that already exists, because clients pull a model before they use it.
 */
export async function pullModel(body: JsonObject, endpoint: Endpoint): Promise<Response> {
  await requireModel(endpoint, await findModelId(endpoint, readModel(body)));
  // Clients expect a stream of JSON lines. One line is enough.
  return jsonResponse({ status: 'success' });
}

function modifiedAt({ created = 0 }: Model): string {
  return new Date(created * 1000).toISOString();
}

function details(): object {
  const unknown = { parent_model: '', parameter_size: '', quantization_level: '' };
  return { ...unknown, format: FAMILY, family: FAMILY, families: [FAMILY] };
}
