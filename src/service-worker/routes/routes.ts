import { ApiError } from '../../shared/api-error.ts';
import type { Exchange } from '../http/exchange.ts';
import { jsonResponse } from '../http/http-responses.ts';
import { CHAT_COMPLETION_FIELDS } from '../request/chat-completion-fields.ts';
import { EMBEDDING_FIELDS } from '../request/embedding-fields.ts';
import { TEXT_COMPLETION_FIELDS } from '../request/text-completion-fields.ts';
import { DETOKENIZE_FIELDS, TOKENIZE_FIELDS } from '../request/tokenize-fields.ts';
import type { RoutedPath } from '../upstreams/upstreams.ts';
import { createChatCompletion } from './chat-completions.ts';
import { createEmbeddings } from './embeddings.ts';
import { loadOnDemandRoutes } from './load-on-demand-routes.ts';
import { listModels, retrieveModel } from './models.ts';
import { describeApi } from './openapi.ts';
import type { Handler, PathItem } from './path-item.ts';
import * as schemas from './response-schemas.ts';
import {
  deleteChatCompletion,
  listChatCompletionMessages,
  listChatCompletions,
  retrieveChatCompletion,
  updateChatCompletion,
} from './stored-chat-completions.ts';
import { createTextCompletion } from './text-completions.ts';
import { detokenize, tokenize } from './tokenize.ts';
import { explainUnservedRoute, isUnservedRoute } from './unserved-routes.ts';

const METHODS = ['GET', 'POST', 'DELETE'] as const;

/** The routes that are always loaded. The first path that matches is used. */
const ROUTES: readonly PathItem[] = [
  {
    path: '/chat/completions',
    GET: { handler: listChatCompletions, response: schemas.LIST },
    POST: { handler: createChatCompletion, fields: CHAT_COMPLETION_FIELDS, response: schemas.CHAT_COMPLETION },
  },
  {
    path: '/chat/completions/{completion_id}',
    GET: { handler: retrieveChatCompletion, response: schemas.CHAT_COMPLETION },
    POST: { handler: updateChatCompletion, response: schemas.CHAT_COMPLETION },
    DELETE: { handler: deleteChatCompletion, response: schemas.DELETED_CHAT_COMPLETION },
  },
  {
    path: '/chat/completions/{completion_id}/messages',
    GET: { handler: listChatCompletionMessages, response: schemas.LIST },
  },
  {
    path: '/completions',
    POST: { handler: createTextCompletion, fields: TEXT_COMPLETION_FIELDS, response: schemas.TEXT_COMPLETION },
  },
  { path: '/embeddings', POST: { handler: createEmbeddings, fields: EMBEDDING_FIELDS, response: schemas.EMBEDDINGS } },
  { path: '/tokenize', POST: { handler: tokenize, fields: TOKENIZE_FIELDS, response: schemas.TOKENS } },
  { path: '/detokenize', POST: { handler: detokenize, fields: DETOKENIZE_FIELDS, response: schemas.DETOKENIZED_TEXT } },
  { path: '/models', GET: { handler: listModels, response: schemas.LIST } },
  { path: '/models/{+model}', GET: { handler: retrieveModel, response: schemas.MODEL } },
  {
    path: '/openapi.json',
    GET: {
      handler: async ({ settings }) => jsonResponse(describeApi([...ROUTES, ...loadOnDemandRoutes()], settings)),
      response: schemas.OPENAPI_DOCUMENT,
    },
  },
];

/** First segments of the paths in `ON_DEMAND_ROUTES`, which are loaded when a path begins with one of them. */
const ON_DEMAND_SEGMENTS: readonly string[] = ['messages', 'rerank', 'responses'];

export interface Route extends RoutedPath {
  /** Every method except OPTIONS. */
  readonly methods: readonly string[];
  /**
   * Responds to a request of this route.
   * @throws TypeError for a method that {@link methods} lacks.
   */
  answer(exchange: Exchange): Promise<Response>;
}

/**
 * Finds the route of a path. One trailing slash is ignored.
 * @throws ApiError `unknown_url` if there is none.
 */
export function findRoute(path: string, basePath: string): Route {
  const found = lookUp(path, basePath);
  if (found !== null) return found;
  throw new ApiError('unknown_url', explainUnservedRoute(pathBelow(path, basePath), basePath));
}

/** Whether a path has a route. */
export function isServed(path: string, basePath: string): boolean {
  return lookUp(path, basePath) !== null;
}

function lookUp(path: string, basePath: string): Route | null {
  const below = pathBelow(path, basePath);
  if (isUnservedRoute(below)) return null;
  for (const item of ON_DEMAND_SEGMENTS.includes(below.split('/')[1] ?? '') ? loadOnDemandRoutes() : ROUTES) {
    const id = matchPath(item.path, below);
    if (id !== null) return route(item, id);
  }
  return null;
}

/** The path below the base path; empty if it is not below it. */
function pathBelow(path: string, basePath: string): string {
  return path.startsWith(`${basePath}/`) ? path.slice(basePath.length).replace(/\/$/, '') : '';
}

function route(item: PathItem, id: string): Route {
  const handlers = new Map<string, Handler>();
  for (const method of METHODS) {
    const handler = item[method]?.handler;
    if (handler === undefined) continue;
    handlers.set(method, handler);
    if (method === 'GET') handlers.set('HEAD', handler);
  }
  return {
    path: item.path,
    id,
    methods: [...handlers.keys()],
    answer(exchange) {
      const handler = handlers.get(exchange.request.method);
      if (handler === undefined) throw new TypeError(`Nothing answers ${exchange.request.method} here.`);
      return handler(exchange, id);
    },
  };
}

/** The variable part of a path, percent-decoded; empty if the pattern has none; null if the path does not match. */
function matchPath(pattern: string, path: string): string | null {
  const [before = '', variable, after = ''] = pattern.split(/\{(.*)\}/);
  if (variable === undefined) return path === pattern ? '' : null;
  if (!path.startsWith(before) || !path.endsWith(after)) return null;
  const escaped = path.slice(before.length, path.length - after.length);
  if (escaped.includes('/') && !variable.startsWith('+')) return null;
  try {
    return decodeURIComponent(escaped) || null;
  } catch {
    // The path has a malformed percent escape.
    return null;
  }
}
