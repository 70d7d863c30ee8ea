import { PrecacheController, type PrecacheEntry } from 'workbox-precaching';
import { outsideRequests } from '../shared/outside-requests.ts';
import type { SiteReport, SiteReportMessage } from '../shared/messages.ts';
import { install } from './install.ts';
import { serveModelLibrary } from './serve-model-library.ts';

declare const self: ServiceWorkerGlobalScope & { __WB_MANIFEST: (string | PrecacheEntry)[] };

install();
serveModelLibrary(self);

// oxlint-disable-next-line no-underscore-dangle -- the build looks for this very text
const manifest = self.__WB_MANIFEST;
const precache = new PrecacheController();
precache.precache(manifest);
reportSite(manifest);

// The controller without the library's router, which is made for more routes than this one.
self.addEventListener('fetch', (event) => {
  const { request } = event;
  const cacheKey = request.method === 'GET' ? precache.getCacheKeyForURL(fileAddress(request.url)) : undefined;
  if (cacheKey !== undefined) event.respondWith(precache.strategy.handle({ event, request, params: { cacheKey } }));
});

// Without a network every address of the site shows the page; with one, an unknown address stays a 404.
self.addEventListener('fetch', (event) => {
  if (event.request.mode !== 'navigate') return;
  event.respondWith(
    fetch(event.request).catch(async () => (await precache.matchPrecache('index.html')) ?? Response.error()),
  );
});

/** Address of the file that is meant by an address: that of a folder means its page. */
function fileAddress(address: string): string {
  const url = new URL(address);
  url.hash = '';
  if (url.pathname.endsWith('/')) url.pathname += 'index.html';
  return url.href;
}

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
  const found = await Promise.all(addresses.map((address) => precache.matchPrecache(address)));
  const missing = addresses.filter((_, index) => found[index] === undefined);
  return { files: addresses.length, missing, outsideRequests: outsideRequests() };
}
