import { ApiError } from '../../shared/api-error.ts';
import type { Exchange } from '../http/exchange.ts';
import type { RoutedPath } from '../upstreams/upstreams.ts';
import type { Handler, PathItem } from './path-item.ts';
import { ROUTES } from './routes.ts';
import { explainUnservedRoute, isUnservedRoute } from './unserved-routes.ts';

const METHODS = ['GET', 'POST', 'DELETE'] as const;

export interface Route extends RoutedPath {
  /** Every method except OPTIONS. */
  readonly methods: readonly string[];
  /** Whether no key is needed. */
  readonly isPublic: boolean;
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
  for (const item of ROUTES) {
    const ids = matchPath(item.path, below);
    if (ids !== null) return route(item, ids);
  }
  return null;
}

/** The path below the base path; empty if it is not below it. */
function pathBelow(path: string, basePath: string): string {
  return path.startsWith(`${basePath}/`) ? path.slice(basePath.length).replace(/\/$/, '') : '';
}

function route(item: PathItem, [id = '', innerId = '']: readonly string[]): Route {
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
    isPublic: item.isPublic === true,
    answer(exchange) {
      const handler = handlers.get(exchange.request.method);
      if (handler === undefined) throw new TypeError(`Nothing answers ${exchange.request.method} here.`);
      return handler(exchange, id, innerId);
    },
  };
}

/** The variable parts of a path, percent-decoded; null if the path does not match. */
function matchPath(pattern: string, path: string): readonly string[] | null {
  const form = pattern.replaceAll(/\{(\+?).*?\}/g, (_, plus) => (plus === '' ? '([^/]+)' : '(.+)'));
  const found = new RegExp(`^${form}$`).exec(path);
  if (found === null || (found.length === 1 && path !== pattern)) return null;
  try {
    return found.slice(1).map(decodeURIComponent);
  } catch {
    // The path has a malformed percent escape.
    return null;
  }
}
