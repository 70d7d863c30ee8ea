import { createHash } from 'node:crypto';
import type { Endpoint } from './endpoint.ts';
import { DEFAULT_TAG, findModelId, modelsOf, requireModel, type Model } from './find-model.ts';
import { jsonResponse } from './json-response.ts';
import { readModel, type JsonObject } from './read-fields.ts';

/** Name of the family and format of every model, because the endpoint tells neither. */
const FAMILY = 'tabserve';

/** `GET /api/tags`: the models of `/v1/models`. */
export async function listModels(_: JsonObject, endpoint: Endpoint): Promise<Response> {
  const models = await modelsOf(endpoint);
  return jsonResponse({
    models: models.map((model) => {
      const name = model.id.includes(':') ? model.id : model.id + DEFAULT_TAG;
      // Clients compare digests of one name to find out whether a model has changed. Sizes are not known here.
      const digest = createHash('sha256').update(`${model.id} ${model.created}`).digest('hex');
      return { name, model: name, modified_at: modifiedAt(model), size: 0, digest, details: details() };
    }),
  });
}

/** `GET /api/ps`: the loaded models. The endpoint loads and unloads them itself and does not tell which, so it is empty. */
export async function listLoaded(_: JsonObject, endpoint: Endpoint): Promise<Response> {
  await modelsOf(endpoint);
  return jsonResponse({ models: [] });
}

/** `POST /api/show`: what is known about a model. */
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

/** `POST /api/pull`: succeeds for a model that is there already, because clients pull before they ask. */
export async function pullModel(body: JsonObject, endpoint: Endpoint): Promise<Response> {
  await requireModel(endpoint, await findModelId(endpoint, readModel(body)));
  // One line is the whole stream.
  return jsonResponse({ status: 'success' });
}

function modifiedAt({ created = 0 }: Model): string {
  return new Date(created * 1000).toISOString();
}

function details(): object {
  const unknown = { parent_model: '', parameter_size: '', quantization_level: '' };
  return { ...unknown, format: FAMILY, family: FAMILY, families: [FAMILY] };
}
