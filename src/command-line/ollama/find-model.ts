import type { Endpoint } from './endpoint.ts';
import { RequestFailure } from './request-failure.ts';

/** The used fields of a model in the endpoint's list. */
export interface Model {
  readonly id: string;
  readonly created?: number;
  readonly context_length?: number;
  readonly tabserve?: {
    readonly dimensions?: number;
    readonly capabilities?: { readonly [name in 'chat' | 'embeddings' | 'images' | 'tools' | 'thinking']?: boolean };
  };
}

/** The tag of a model that is named without a tag. Clients such as Open WebUI append it before they search the list. */
export const DEFAULT_TAG = ':latest';

/** Finds the endpoint's id of a model. The client may have appended the default tag to its name. */
export async function findModelId(endpoint: Endpoint, name: string): Promise<string> {
  if (!name.endsWith(DEFAULT_TAG)) return name;
  const models = await modelsOf(endpoint);
  return models.some(({ id }) => id === name) ? name : name.slice(0, -DEFAULT_TAG.length);
}

/** Returns a model. @throws RequestFailure 404 if the endpoint does not have it. */
export async function requireModel(endpoint: Endpoint, id: string): Promise<Model> {
  const model = (await modelsOf(endpoint)).find((candidate) => candidate.id === id);
  if (model !== undefined) return model;
  const sentence = `model ${JSON.stringify(id)} not found: the models in /api/tags are on this device, and no further model can be pulled.`;
  throw new RequestFailure(404, sentence);
}

export async function modelsOf(endpoint: Endpoint): Promise<readonly Model[]> {
  return (await endpoint.get('/models')).data as Model[];
}
