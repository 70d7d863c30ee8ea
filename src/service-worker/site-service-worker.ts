import { cleanupOutdatedCaches, matchPrecache, precacheAndRoute, type PrecacheEntry } from 'workbox-precaching';
import { outsideRequests } from '../shared/outside-requests.ts';
import type { SiteReport, SiteReportMessage } from '../shared/messages.ts';
import { install } from './install.ts';
import { serveModelLibrary } from './serve-model-library.ts';

declare const self: ServiceWorkerGlobalScope & { __WB_MANIFEST: (string | PrecacheEntry)[] };

install();
serveModelLibrary(self);

// oxlint-disable-next-line no-underscore-dangle -- the build looks for this very text
const manifest = self.__WB_MANIFEST;
precacheAndRoute(manifest);
reportSite(manifest);
cleanupOutdatedCaches();

// Without a network every address of the site shows the page; with one, an unknown address stays a 404.
self.addEventListener('fetch', (event) => {
  if (event.request.mode !== 'navigate') return;
  event.respondWith(fetch(event.request).catch(async () => (await matchPrecache('index.html')) ?? Response.error()));
});

/** Answers pages that ask whether the whole page is on this device, and what left it. */
function reportSite(manifest: readonly (string | PrecacheEntry)[]): void {
  self.addEventListener('message', (event) => {
    const [port] = event.ports;
    if ((event.data as SiteReportMessage | null)?.type !== 'tabserve/site-report' || port === undefined) return;
    event.waitUntil(makeReport(manifest).then((report) => port.postMessage(report)));
  });
}

async function makeReport(manifest: readonly (string | PrecacheEntry)[]): Promise<SiteReport> {
  const addresses = manifest.map((entry) => (typeof entry === 'string' ? entry : entry.url));
  const found = await Promise.all(addresses.map((address) => matchPrecache(address)));
  const missing = addresses.filter((_, index) => found[index] === undefined);
  return { files: addresses.length, missing, outsideRequests: outsideRequests() };
}
