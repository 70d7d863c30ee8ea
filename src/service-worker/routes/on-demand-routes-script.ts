import { ON_DEMAND_ROUTES } from './on-demand-routes.ts';

// The entry of the script `tabserve-on-demand-routes.js`. It shares modules with the service worker's main script,
// which provides them.
Object.assign(self, { tabserveOnDemandRoutes: ON_DEMAND_ROUTES });
