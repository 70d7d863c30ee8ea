import { ApiError } from '../../shared/api-error.ts';
import { quote } from '../../shared/describe-value.ts';
import { LAST_EVENT_HEADER } from '../../shared/http/resumable-stream.ts';
import { trace } from '../../shared/trace/trace.ts';
import { addSentRequest, findUpstreamPermission } from '../../shared/upstreams/upstream-database.ts';
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
import { holdAnswerLock } from '../lifecycle/takeover.ts';
import { passOn } from './forward-request.ts';
import { createModelList } from './list-upstream-models.ts';
import type { RoutedPath, UpstreamDependencies, Upstreams } from './upstreams.ts';

const DEFAULTS: UpstreamDependencies = {
  fetch: (input, init) => fetch(input, init),
  findPermission: findUpstreamPermission,
  addSentRequest,
  holdAnswer: holdAnswerLock,
  headTime: 20_000,
};

/** What is asked of an upstream as it came; everything else is of this device. */
const PASSED_ON = ['/chat/completions', '/completions', '/responses', '/embeddings'];

/** Failures that say that this device cannot, which waiting does not change. */
const BEYOND_DEVICE: readonly unknown[] = [
  'gpu_unavailable',
  'model_not_found',
  'model_not_loaded',
  'model_load_failed',
  'context_length_exceeded',
];

/** @param upstreams The first that fits a model answers it. */
export function createUpstreams(
  upstreams: readonly Upstream[],
  dependencies: Partial<UpstreamDependencies> = {},
): Upstreams {
  const used = { ...DEFAULTS, ...dependencies };
  const find = (id: string) => upstreams.find(({ models }) => matchesModel(models, id));
  const listModels = createModelList(upstreams, used);

  async function route(exchange: Exchange, path: string, local: (exchange: Exchange) => Promise<Response>) {
    const { request, requestId, models, settings } = exchange;
    const wanted = readRoute(request);
    // Read from a copy: on this device it is read anew.
    const body = wanted === 'local' ? null : await readJsonBody({ ...exchange, request: request.clone() });
    const model = (body?.value as { model?: unknown } | null | undefined)?.model;
    const upstream = typeof model === 'string' && models.permits(model) ? find(model) : undefined;
    if (body === null || typeof model !== 'string' || upstream === undefined) return local(exchange);
    const { name, when } = upstream;
    const rule = stricter(when, wanted);
    trace(requestId, 'may be answered', rule, `by ${name}`);
    if (rule === 'local') return local(exchange);
    const permission = await used.findPermission(upstreamInfo(upstream).origin).catch((thrown: unknown) => {
      // What this device can answer needs no database.
      if (rule === 'upstream') throw thrown;
      return null;
    });
    if (rule === 'prefer-local') {
      try {
        // Once the head is sent nobody else can be asked.
        const patient = { ...settings, streamAwaitsModel: true };
        return await local(permission === null ? exchange : { ...exchange, settings: patient });
      } catch (thrown) {
        if (!isBeyondDevice(thrown)) throw thrown;
        trace(requestId, 'cannot be answered on this device:', thrown.code);
        if (permission === null) throw withOffer(thrown, upstream);
      }
    }
    if (permission === null) throw notAllowed(upstream);
    if (request.headers.has(LAST_EVENT_HEADER)) {
      throw new ApiError('stream_not_found', `An answer of ${name} cannot be joined again: ask for a new one.`);
    }
    return passOn(exchange, { upstream, permission, path, body, model }, used);
  }

  return {
    configured: upstreams.map(upstreamInfo),
    async answer(exchange, routed, local) {
      const { method } = exchange.request;
      try {
        if (method === 'POST')
          return await (PASSED_ON.includes(routed.path) ? route(exchange, routed.path, local) : local(exchange));
        return await (isModelRoute(routed) && method !== 'DELETE'
          ? listModels(exchange, routed, local)
          : local(exchange));
      } catch (thrown) {
        // Those of the app itself are of another class where this is a script of its own.
        if (!(thrown instanceof ApiError)) throw thrown;
        exchange.observer?.failed(thrown.code);
        return errorResponse(thrown);
      }
    },
  };
}

function isModelRoute({ path }: RoutedPath): boolean {
  return path === '/models' || path === '/models/{+model}';
}

/** @throws ApiError `invalid_value` for a word that is none of the routes. */
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

function isBeyondDevice(thrown: unknown): thrown is ApiError {
  return thrown instanceof Error && 'code' in thrown && BEYOND_DEVICE.includes(thrown.code);
}

function withOffer(error: ApiError, upstream: Upstream): ApiError {
  return ApiError.fromData({ ...error.toData(), message: `${error.message} ${offer(upstream)}` });
}

function notAllowed(upstream: Upstream): ApiError {
  return new ApiError('upstream_not_allowed', `This model is not answered on this device. ${offer(upstream)}`, {
    param: 'model',
  });
}

function offer(upstream: Upstream): string {
  const { name, origin } = upstreamInfo(upstream);
  return `This site offers ${name} (${origin}) for it: a page of this site asks whoever uses this browser to allow that, with \`allowUpstream()\`.`;
}
