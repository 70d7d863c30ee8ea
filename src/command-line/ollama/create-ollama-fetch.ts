import { CORS_HEADERS } from '../../shared/http/cors-headers.ts';
import type { PageFetch, PageRequest } from '../browser/page-fetch.ts';
import { chat } from './chat.ts';
import { embed, embedPrompt } from './embed.ts';
import { Endpoint } from './endpoint.ts';
import { generate } from './generate.ts';
import { jsonResponse } from './json-response.ts';
import { listLoaded, listModels, pullModel, showModel } from './model-routes.ts';
import { readBody, type JsonObject } from './read-fields.ts';
import { RequestFailure } from './request-failure.ts';

type Handler = (body: JsonObject, endpoint: Endpoint) => Response | Promise<Response>;

interface Route {
  readonly method: 'GET' | 'POST';
  readonly handle: Handler;
}

/** The version of Ollama whose API is served. Clients require a minimum version. */
const VERSION = '0.14.0';

/** The routes. Source: Ollama's `docs/api.md`, 2026-11. */
const ROUTES: ReadonlyMap<string, Route> = new Map([
  ['/', { method: 'GET', handle: () => new Response('Ollama is running') }],
  ['/api/version', { method: 'GET', handle: () => jsonResponse({ version: VERSION }) }],
  ['/api/tags', { method: 'GET', handle: listModels }],
  ['/api/ps', { method: 'GET', handle: listLoaded }],
  ['/api/show', { method: 'POST', handle: showModel }],
  ['/api/chat', { method: 'POST', handle: chat }],
  ['/api/generate', { method: 'POST', handle: generate }],
  ['/api/embed', { method: 'POST', handle: embed }],
  ['/api/embeddings', { method: 'POST', handle: embedPrompt }],
  ['/api/pull', { method: 'POST', handle: pullModel }],
]);

/** Whether a path belongs to Ollama's API. */
export function isOllamaPath(path: string): boolean {
  return /^\/(?:api(?:[/?]|$)|(?:\?|$))/.test(path);
}

/**
 * Creates a function that responds to requests in the format of Ollama's API (https://docs.ollama.com/api) and gets the
 * answers from the endpoint. Errors are `{"error": "…"}` with the status of the endpoint's error.
 * @param fetch Sends requests to the endpoint.
 */
export function createOllamaFetch(fetch: PageFetch): PageFetch {
  return async (request) => {
    const response = await respond(fetch, request).catch((error: unknown) => {
      if (!(error instanceof RequestFailure)) throw error;
      return jsonResponse({ error: error.message }, error.status, error.headers);
    });
    for (const [name, value] of Object.entries({ 'cache-control': 'no-store', ...CORS_HEADERS })) {
      response.headers.set(name, value);
    }
    return response;
  };
}

async function respond(fetch: PageFetch, request: PageRequest): Promise<Response> {
  const { path, method = 'GET', body = null } = request;
  const route = ROUTES.get(path.split('?', 1)[0] ?? '');
  if (route === undefined) {
    const served = [...ROUTES.keys()].join(', ');
    throw new RequestFailure(404, `This bridge serves ${served} of Ollama's API, and the endpoint's routes below /v1.`);
  }
  const allow = route.method === 'GET' ? 'GET, HEAD, OPTIONS' : 'POST, OPTIONS';
  if (method === 'OPTIONS') return preflightResponse(allow);
  if (!allow.split(', ').includes(method)) {
    const headers = { allow };
    throw new RequestFailure(405, `This address serves ${allow}, but not ${JSON.stringify(method)}.`, { headers });
  }
  return route.handle(route.method === 'GET' ? {} : readBody(body), new Endpoint(fetch, request));
}

function preflightResponse(allow: string): Response {
  const headers = { allow, 'access-control-allow-methods': allow, 'access-control-allow-headers': '*, authorization' };
  return new Response(null, { status: 204, headers });
}
