import { DIALECT_ROUTES } from './dialect-routes.ts';
import type { PathItem } from './path-item.ts';

/**
 * Returns the routes of the APIs other than Chat Completions. The build of this repository's site replaces this file:
 * there the routes are a separate script, which the service worker evaluates when a request first needs it.
 */
export function loadDialectRoutes(): readonly PathItem[] {
  return DIALECT_ROUTES;
}
