import { precacheAndRoute, type PrecacheEntry } from 'workbox-precaching';
declare const self: ServiceWorkerGlobalScope & { __WB_MANIFEST: (string | PrecacheEntry)[] };
precacheAndRoute(self.__WB_MANIFEST);
