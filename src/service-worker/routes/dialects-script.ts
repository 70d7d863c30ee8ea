import { DIALECT_ROUTES } from './dialect-routes.ts';

// The entry of `tabserve-dialects.js`. The service worker's main script provides the modules that both use.
Object.assign(self, { tabserveDialectRoutes: DIALECT_ROUTES });
