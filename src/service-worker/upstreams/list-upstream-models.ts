import { withTimeout } from '../../shared/timeout.ts';
import type { UpstreamPermission } from '../../shared/upstreams/upstream-database.ts';
import { matchesModel, upstreamInfo, type Upstream, type UpstreamRoute } from '../../shared/upstreams/upstream.ts';
import type { Exchange } from '../http/exchange.ts';
import { jsonResponse } from '../http/http-responses.ts';
import { sendToUpstream } from './upstream-request.ts';
import type { RoutedPath, UpstreamDependencies } from './upstreams.ts';

/** Milliseconds for which an upstream's list stays cached, and milliseconds for which a request waits for the list. */
const [LIST_LIFETIME, LIST_TIMEOUT] = [60_000, 5_000];

const MODEL_LIST_PATH = '/models';

/** Longest id of a model of an upstream, in characters. */
const MAX_ID_LENGTH = 256;

/** The used fields of an entry of `GET /models`. A server may send values of any type, except for the id. */
interface ListedModel {
  readonly id: string;
  readonly created?: unknown;
  readonly owned_by?: unknown;
  /** Context window in tokens. vLLM sends it, and null for an adapter. */
  readonly max_model_len?: unknown;
  readonly tabserve?: { readonly capabilities?: object };
}

interface UpstreamModel {
  readonly name: string;
  readonly origin: string;
  readonly when: UpstreamRoute;
  readonly entry: object;
}

type ListModels = (
  exchange: Exchange,
  path: RoutedPath,
  local: (exchange: Exchange) => Promise<Response>,
  dependencies: UpstreamDependencies,
) => Promise<Response>;

/**
 * `GET /models` and `GET /models/{id}`, with the models of permitted upstreams. An upstream's own list is fetched only
 * if the site names its models by a pattern.
 * @param find Returns the upstream that answers requests to a model, whether it is permitted or not.
 */
export function createModelList(
  upstreams: readonly Upstream[],
  find: (id: string) => Upstream | undefined,
): ListModels {
  const cache = new Map<string, { readonly until: number; readonly models: Promise<readonly ListedModel[]> }>();

  async function modelsOf(
    upstream: Upstream,
    permission: UpstreamPermission,
    dependencies: UpstreamDependencies,
  ): Promise<readonly ListedModel[]> {
    const { name, models } = upstream;
    const named = models.filter((id) => !id.endsWith('*')).map((id): ListedModel => ({ id }));
    if (named.length === models.length) return named;
    // A list belongs to one permission: a later permission may bring another key of the user, which may see other
    // models.
    const cacheKey = `${name} ${permission.granted}`;
    let cached = cache.get(cacheKey);
    if (cached === undefined || cached.until < Date.now()) {
      const before = cached?.models ?? Promise.resolve([]);
      // If it fails, the last list holds, and the next request asks again. Without it a page would not know where requests go.
      const fetched = fetchModels(upstream, dependencies).catch(() => {
        cache.set(cacheKey, { until: 0, models: before });
        return before;
      });
      // The promise is cached while it is pending, so that concurrent requests share it.
      cache.set(cacheKey, (cached = { until: Date.now() + LIST_LIFETIME, models: fetched }));
    }
    const offered = (await cached.models).filter(({ id }) => matchesModel(models, id));
    return [...named.filter(({ id }) => offered.every((model) => model.id !== id)), ...offered];
  }

  /**
   * Returns the entries by id: of each upstream the models of which requests would reach it.
   * @param here The models of this device. Requests to one that a pattern matches reach the upstream although its list, which
   * may not arrive, lacks the model.
   */
  async function listRemote(
    { models }: Exchange,
    dependencies: UpstreamDependencies,
    here: readonly ListedModel[],
  ): Promise<Map<string, UpstreamModel>> {
    const others = new Map<string, UpstreamModel>();
    for (const upstream of upstreams) {
      const { name, when } = upstream;
      const { origin } = upstreamInfo(upstream);
      const add = ({ id, created, owned_by: owner, max_model_len: window }: ListedModel, more: object) => {
        if (others.has(id) || find(id) !== upstream || !models.permits(id)) return;
        const capacity = isCount(window) ? { context_window: window } : {};
        const tabserve = { state: 'upstream', upstream: name, upstream_origin: origin, ...capacity, ...more };
        others.set(id, {
          name,
          origin,
          when,
          entry: {
            id,
            object: 'model',
            created: isCount(created) ? created : 0,
            owned_by: typeof owner === 'string' ? owner : name,
            ...capacity,
            tabserve,
          },
        });
      };
      const permission = when === 'local' ? null : await dependencies.findPermission(origin).catch(() => null);
      if (permission === null) continue;
      for (const model of await modelsOf(upstream, permission, dependencies)) add(model, {});
      for (const { id, tabserve } of here) add({ id }, { capabilities: tabserve?.capabilities });
    }
    return others;
  }

  return async (exchange, { path, id }, local, dependencies) => {
    // The client uses the Messages API, which no upstream answers. So only the models on this device are told.
    if (exchange.request.headers.has('anthropic-version')) return local(exchange);
    if (path !== MODEL_LIST_PATH) {
      const answer = local(exchange);
      const model = await answer.then(
        (response) => response.json() as Promise<ListedModel>,
        () => null,
      );
      // The name that was asked for, which may be an alias, decides where requests go.
      const other = (await listRemote(exchange, dependencies, model ? [{ ...model, id }] : [])).get(id);
      if (other && (!model || other.when === 'upstream')) return jsonResponse(other.entry);
      if (!model) return answer;
      return jsonResponse(other ? beside(model, other) : model);
    }
    const { data } = (await (await local(exchange)).json()) as { data: readonly ListedModel[] };
    const others = await listRemote(exchange, dependencies, data);
    const here = data.flatMap((model) => {
      const other = others.get(model.id);
      if (other === undefined) return [model];
      if (other.when === 'upstream') return [];
      others.delete(model.id);
      // This device has the model; the upstream responds only if the device cannot.
      return [beside(model, other)];
    });
    return jsonResponse({ object: 'list', data: [...here, ...[...others.values()].map(({ entry }) => entry)] });
  };
}

/** Returns a model of this device with the upstream that may answer in its place. */
function beside(model: ListedModel, { name, origin }: UpstreamModel): object {
  return { ...model, tabserve: { ...model.tabserve, upstream: name, upstream_origin: origin } };
}

async function fetchModels(upstream: Upstream, dependencies: UpstreamDependencies): Promise<readonly ListedModel[]> {
  const finished = new AbortController();
  const ask = async () => {
    const message = { method: 'GET', path: '/models', body: null, signal: finished.signal };
    const response = await sendToUpstream(upstream, dependencies, message);
    const { data } = (await response.json()) as { data?: unknown };
    if (!response.ok || !Array.isArray(data)) throw new TypeError('This is not a list of models.');
    return data.filter(isModel);
  };
  try {
    const models = await withTimeout(LIST_TIMEOUT, ask(), null);
    // As a failure, so that the next request asks again.
    if (models === null) throw new TypeError('The list of models does not arrive.');
    return models;
  } finally {
    finished.abort();
  }
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && value > 0;
}

function isModel(model: unknown): model is ListedModel {
  return typeof model === 'object' && model !== null && 'id' in model && isModelId(model.id);
}

/**
 * Whether a listed id can be requested. Some servers list models without a name. One with an invisible character could look
 * like another model, or turn round the name of the server beside it.
 */
function isModelId(id: unknown): boolean {
  return typeof id === 'string' && id.trim() !== '' && id.length <= MAX_ID_LENGTH && !/[\p{Cc}\p{Cf}]/u.test(id);
}
