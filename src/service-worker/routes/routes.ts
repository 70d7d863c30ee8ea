import { ApiError } from '../../shared/api-error.ts';
import { createChatCompletion } from './chat-completions.ts';
import { createEmbeddings } from './embeddings.ts';
import type { Exchange } from '../http/exchange.ts';
import { explainLackingRoute, isLackingRoute } from './unserved-routes.ts';
import { createResponse } from '../responses-api/create-response.ts';
import { cancelResponse, deleteResponse, listInputItems, retrieveResponse } from '../responses-api/stored-responses.ts';
import { jsonResponse } from '../http/http-responses.ts';
import { listModels, retrieveModel } from './models.ts';
import { describeApi } from './openapi.ts';
import { CHAT_COMPLETION_FIELDS } from '../request/chat-completion-fields.ts';
import { EMBEDDING_FIELDS } from '../request/embedding-fields.ts';
import type { FieldTable } from '../request/read-fields.ts';
import { TEXT_COMPLETION_FIELDS } from '../request/text-completion-fields.ts';
import { DETOKENIZE_FIELDS, TOKENIZE_FIELDS } from '../request/tokenize-fields.ts';
import { RESPONSE_FIELDS } from '../responses-api/response-fields.ts';
import {
  deleteChatCompletion,
  listChatCompletionMessages,
  listChatCompletions,
  retrieveChatCompletion,
  updateChatCompletion,
} from './stored-chat-completions.ts';
import { createTextCompletion } from './text-completions.ts';
import { detokenize, tokenize } from './tokenize.ts';
import type { RoutedPath } from '../upstreams/create-upstreams.ts';

/** @param id What stands for the variable part of the path, decoded; empty where it has none. */
type Handler = (exchange: Exchange, id: string) => Promise<Response>;

/** What one path serves, by method. HEAD is served wherever GET is, OPTIONS everywhere. */
interface PathItem {
  /**
   * Path below the base path, with one variable part at most: `{id}` is one segment of it, `{+id}` may have slashes (as
   * in URI templates, RFC 6570). Whatever it stands for is not empty.
   */
  readonly path: `/${string}`;
  readonly GET?: Handler;
  readonly POST?: Handler;
  readonly DELETE?: Handler;
  /** What the body of a POST consists of; absent where that has no table. */
  readonly fields?: FieldTable;
}

const METHODS = ['GET', 'POST', 'DELETE'] as const;

/** Everything that is served. The first path that fits answers. */
const ROUTES: readonly PathItem[] = [
  { path: '/chat/completions', GET: listChatCompletions, POST: createChatCompletion, fields: CHAT_COMPLETION_FIELDS },
  {
    path: '/chat/completions/{completion_id}',
    GET: retrieveChatCompletion,
    POST: updateChatCompletion,
    DELETE: deleteChatCompletion,
  },
  { path: '/chat/completions/{completion_id}/messages', GET: listChatCompletionMessages },
  { path: '/completions', POST: createTextCompletion, fields: TEXT_COMPLETION_FIELDS },
  { path: '/responses', POST: createResponse, fields: RESPONSE_FIELDS },
  { path: '/responses/{response_id}', GET: retrieveResponse, DELETE: deleteResponse },
  { path: '/responses/{response_id}/cancel', POST: cancelResponse },
  { path: '/responses/{response_id}/input_items', GET: listInputItems },
  { path: '/embeddings', POST: createEmbeddings, fields: EMBEDDING_FIELDS },
  { path: '/tokenize', POST: tokenize, fields: TOKENIZE_FIELDS },
  { path: '/detokenize', POST: detokenize, fields: DETOKENIZE_FIELDS },
  { path: '/models', GET: listModels },
  { path: '/models/{+model}', GET: retrieveModel },
  { path: '/openapi.json', GET: async ({ settings }) => jsonResponse(describeApi(ROUTES, settings)) },
];

export interface Route extends RoutedPath {
  /** Every method served beside OPTIONS. */
  readonly methods: readonly string[];
  /** @throws TypeError for a method that is not among {@link methods}. */
  answer(exchange: Exchange): Promise<Response>;
}

/**
 * What is served at a path. One trailing slash is tolerated.
 * @throws ApiError `unknown_url` when nothing is.
 */
export function findRoute(path: string, basePath: string): Route {
  const found = lookUp(path, basePath);
  if (found !== null) return found;
  throw new ApiError('unknown_url', explainLackingRoute(pathBelow(path, basePath), basePath));
}

/** Whether anything is served at a path. */
export function isServed(path: string, basePath: string): boolean {
  return lookUp(path, basePath) !== null;
}

function lookUp(path: string, basePath: string): Route | null {
  const below = pathBelow(path, basePath);
  for (const item of isLackingRoute(below) ? [] : ROUTES) {
    const id = matchPath(item.path, below);
    if (id !== null) return route(item, id);
  }
  return null;
}

/** Empty for a path that is not below the base path. */
function pathBelow(path: string, basePath: string): string {
  return path.startsWith(`${basePath}/`) ? path.slice(basePath.length).replace(/\/$/, '') : '';
}

function route(item: PathItem, id: string): Route {
  const handlers = new Map<string, Handler>();
  for (const method of METHODS) {
    const handler = item[method];
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

/** What stands in a path for the variable part of a pattern, decoded; empty without one; null where they do not fit. */
function matchPath(pattern: string, path: string): string | null {
  const [before = '', variable, after = ''] = pattern.split(/\{(.*)\}/);
  if (variable === undefined) return path === pattern ? '' : null;
  if (!path.startsWith(before) || !path.endsWith(after)) return null;
  const escaped = path.slice(before.length, path.length - after.length);
  if (escaped.includes('/') && !variable.startsWith('+')) return null;
  try {
    return decodeURIComponent(escaped) || null;
  } catch {
    // A malformed escape names nothing.
    return null;
  }
}
