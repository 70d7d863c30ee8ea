import { ON_DEMAND_ROUTES } from './on-demand-routes.ts';
import type { PathItem } from './path-item.ts';

/**
 * Returns the routes of the Responses, Messages and Rerank APIs. The build of this repository's site replaces this file:
 * there the routes are a separate script, which the service worker evaluates when a request first needs it.
 */
export function loadOnDemandRoutes(): readonly PathItem[] {
  return ON_DEMAND_ROUTES;
}
