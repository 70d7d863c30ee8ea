import { DIALECT_ROUTES } from './dialect-routes.ts';

// The entry of the script `tabserve-dialects.js`. It shares modules with the service worker's main script, which
// provides them.
Object.assign(self, { tabserveDialectRoutes: DIALECT_ROUTES });
