import { ApiError } from '../../shared/api-error.ts';
import { quote } from '../../shared/describe-value.ts';
import { LAST_EVENT_HEADER, STREAM_ID_HEADER } from '../../shared/http/resumable-stream.ts';
import { LOG_HEADER } from '../../shared/storage/request-record.ts';
import { trace } from '../../shared/trace/trace.ts';
import { addSentRequest, findUpstreamPermission } from '../../shared/upstreams/upstream-database.ts';
import { announceUpstreamChange } from '../../shared/upstreams/watch-upstreams.ts';
import {
  matchesModel,
  ROUTE_HEADER,
  UPSTREAM_ROUTES,
  upstreamInfo,
  type Upstream,
  type UpstreamRoute,
} from '../../shared/upstreams/upstream.ts';
import type { Exchange } from '../http/exchange.ts';
import { errorResponse } from '../http/http-responses.ts';
import { readJsonBody } from '../http/read-json-body.ts';
import { holdAnswerLock } from '../engine/admission.ts';
import { forwardRequest } from './forward-request.ts';
import { createModelList } from './list-upstream-models.ts';
import { notAllowed, withOffer } from './upstream-offer.ts';
import type { RoutedPath, UpstreamDependencies, Upstreams } from './upstreams.ts';

const DEFAULTS: UpstreamDependencies = {
  fetch: (input, init) => fetch(input, init),
  findPermission: findUpstreamPermission,
  addSentRequest,
  announceSentRequest: announceUpstreamChange,
  holdAnswerLock,
  headersTimeout: 20_000,
};

/** Routes whose requests are forwarded, unchanged except for the model's name. The others exist on this device only. */
const FORWARDED_PATHS = ['/chat/completions', '/completions', '/responses', '/embeddings'];

/** Codes of errors after which an upstream responds, because a retry on this device would fail too. */
const BEYOND_DEVICE: readonly unknown[] = [
  'gpu_unavailable',
  'model_not_found',
  'model_not_loaded',
  'model_load_failed',
  'context_length_exceeded',
];

/**
 * Creates the part of the service that decides whether this device or an upstream of the site responds.
 * @param upstreams The first one that has the requested model responds.
 */
export function createUpstreamRouter(
  upstreams: readonly Upstream[],
  dependencies: Partial<UpstreamDependencies> = {},
): Upstreams {
  const used = { ...DEFAULTS, ...dependencies };
  const find = (id: string) => upstreams.find(({ models }) => matchesModel(models, id));
  const listModels = createModelList(upstreams, find);
  /** The latest request for each stream that waits for this device. A page that gives up waiting asks for it again. */
  const latest = new Map<string, Exchange>();

  async function route(exchange: Exchange, path: string, local: (exchange: Exchange) => Promise<Response>) {
    const { request, requestId, models, settings } = exchange;
    const wanted = readRoute(request);
    // Reads a clone, because the local route reads the body again.
    const body = wanted === 'local' ? null : await readJsonBody({ ...exchange, request: request.clone() });
    const model = (body?.value as { model?: unknown } | null | undefined)?.model;
    const upstream = typeof model === 'string' && models.permits(model) ? find(model) : undefined;
    if (body === null || typeof model !== 'string' || upstream === undefined) return local(exchange);
    const { name, when } = upstream;
    const rule = stricter(when, wanted);
    trace(requestId, `route ${rule} for ${name}`);
    if (rule === 'local') return local(exchange);
    const findPermission = () =>
      used.findPermission(upstreamInfo(upstream).origin).catch((thrown: unknown) => {
        // Without the database the user's permission is unknown. Then only this device may respond.
        if (rule === 'upstream') throw thrown;
        return null;
      });
    const permission = await findPermission();
    const joins = request.headers.has(LAST_EVENT_HEADER);
    if (rule === 'prefer-local') {
      const stream = (!joins && request.headers.get(STREAM_ID_HEADER)) || requestId;
      latest.set(stream, exchange);
      try {
        // Streams wait for the model before their headers are sent, because an upstream cannot take over afterwards.
        const patient = { ...settings, streamHeadersAwaitModel: true };
        return await local(permission === null ? exchange : { ...exchange, settings: patient });
      } catch (thrown) {
        // Nobody reads the response to an earlier request.
        if (!isBeyondDevice(thrown) || latest.get(stream) !== exchange) throw thrown;
        trace(requestId, 'cannot be served on this device:', thrown.code);
        // The model may have loaded for minutes, in which the user may have revoked the permission.
        if (permission === null || (await findPermission()) === null) throw withOffer(thrown, upstream);
      } finally {
        if (latest.get(stream) === exchange) latest.delete(stream);
      }
    }
    if (permission === null) throw notAllowed(upstream);
    if (joins) {
      throw new ApiError('stream_not_found', `An answer of ${name} cannot be joined again: ask for a new one.`);
    }
    return forwardRequest(exchange, { upstream, path, body, model }, recording(used, request));
  }

  return {
    configured: upstreams.map(upstreamInfo),
    toJSON: () => upstreams,
    async answer(exchange, routed, respondHere) {
      const { method } = exchange.request;
      let failedHere: unknown;
      const local = async (asked: Exchange) => {
        try {
          return await respondHere(asked);
        } catch (thrown) {
          failedHere = thrown;
          throw thrown;
        }
      };
      try {
        if (method === 'POST')
          return await (FORWARDED_PATHS.includes(routed.path) ? route(exchange, routed.path, local) : local(exchange));
        return await (isModelRoute(routed) && method !== 'DELETE' && readRoute(exchange.request) !== 'local'
          ? listModels(exchange, routed, local, recording(used, exchange.request))
          : local(exchange));
      } catch (thrown) {
        // The caller gives the errors of this device the form of the API that the client uses. In a ready-made service worker
        // this code is a separate script with its own copy of the class ApiError.
        if (thrown === failedHere || !(thrown instanceof ApiError)) throw thrown;
        exchange.observer?.failed(thrown.code);
        return errorResponse(thrown);
      }
    },
  };
}

/** Returns the dependencies for a request, with which nothing is stored about it if its {@link LOG_HEADER} is `memory`. */
function recording(dependencies: UpstreamDependencies, { headers }: Request): UpstreamDependencies {
  if (headers.get(LOG_HEADER) !== 'memory') return dependencies;
  return { ...dependencies, addSentRequest: async (sent) => dependencies.announceSentRequest(sent) };
}

function isModelRoute({ path }: RoutedPath): boolean {
  return path === '/models' || path === '/models/{+model}';
}

/**
 * Reads the rule in the request's {@link ROUTE_HEADER}. Without this header `upstream`, which leaves the site's rule as
 * it is.
 * @throws ApiError `invalid_value` for an unknown value.
 */
function readRoute({ headers }: Request): UpstreamRoute {
  const value = headers.get(ROUTE_HEADER) ?? 'upstream';
  const route = UPSTREAM_ROUTES.find((route) => route === value);
  if (route !== undefined) return route;
  const wanted = UPSTREAM_ROUTES.map((route) => `\`${route}\``).join(', ');
  throw new ApiError(
    'invalid_value',
    `The header \`${ROUTE_HEADER}\` must be one of ${wanted}, but it is ${quote(value)}.`,
  );
}

function stricter(one: UpstreamRoute, other: UpstreamRoute): UpstreamRoute {
  return UPSTREAM_ROUTES[Math.min(UPSTREAM_ROUTES.indexOf(one), UPSTREAM_ROUTES.indexOf(other))] ?? 'local';
}

/**
 * Whether this device cannot answer with the requested model. A search in its documents that fails, which the error's
 * `param` tells, says nothing about that model, and no upstream could search them.
 */
function isBeyondDevice(thrown: unknown): thrown is ApiError {
  if (!(thrown instanceof Error && 'code' in thrown && BEYOND_DEVICE.includes(thrown.code))) return false;
  return !(thrown as ApiError).param?.endsWith('vector_store_ids');
}
