import { cleanupOutdatedCaches, matchPrecache, precacheAndRoute, type PrecacheEntry } from 'workbox-precaching';
import { install } from './install.ts';
import { reportSite } from './report-site.ts';
import { serveModelLibrary } from './serve-model-library.ts';

declare const self: ServiceWorkerGlobalScope & { __WB_MANIFEST: (string | PrecacheEntry)[] };

install();
serveModelLibrary(self);

// oxlint-disable-next-line no-underscore-dangle -- the build looks for this very text
const manifest = self.__WB_MANIFEST;
precacheAndRoute(manifest);
reportSite(self, manifest);
cleanupOutdatedCaches();

// Without a network every address of the site shows the page; with one, an unknown address stays a 404.
self.addEventListener('fetch', (event) => {
  if (event.request.mode !== 'navigate') return;
  event.respondWith(fetch(event.request).catch(async () => (await matchPrecache('index.html')) ?? Response.error()));
});
