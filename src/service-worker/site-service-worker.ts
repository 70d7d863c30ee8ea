import type { PrecacheEntry } from 'workbox-precaching';
import type { SiteReport, SiteReportMessage } from '../shared/messaging/messages.ts';
import { outsideRequests } from '../shared/security/outside-requests.ts';
import type { InstallOptions } from './lifecycle/install.ts';
import { securityHeaders } from '../shared/security/security-headers.ts';
import { installReadyMade } from './lifecycle/install-ready-made.ts';
import { serveModelLibrary } from './site/serve-model-library.ts';
import { serveLlamaCpp } from './site/serve-llama-cpp.ts';
import { SiteFiles } from './site/site-files.ts';

declare const self: ServiceWorkerGlobalScope & {
  __WB_MANIFEST: (string | PrecacheEntry)[];
  readonly tabserve?: InstallOptions;
  /** Hosts beside those of the catalogue that the server's headers name, separated by spaces. Default: none. */
  readonly tabserveHosts?: string;
};

installReadyMade({ gguf: true });

// oxlint-disable-next-line no-underscore-dangle -- the build looks for this very text
const manifest = self.__WB_MANIFEST;
const { scope } = self.registration;
const isStrict = self.tabserve?.modelHosts === false;
const site = isStrict
  ? new SiteFiles(manifest, scope, { hosts: 'none', headers: securityHeaders([]) })
  : new SiteFiles(manifest, scope, { hosts: self.tabserveHosts ?? '' });
self.addEventListener('install', (event) => event.waitUntil(site.install()));
self.addEventListener('activate', (event) => event.waitUntil(site.activate()));

self.addEventListener('fetch', (event) => {
  const { request } = event;
  const file = request.method === 'GET' ? site.find(request.url) : undefined;
  if (file) event.respondWith(site.answer(file, request));
  // Offline, every navigation within the site leads to the page. Online, an unknown URL stays a 404.
  else if (request.mode === 'navigate') event.respondWith(fetch(request).catch(() => Response.redirect(scope)));
});
serveLlamaCpp(self);
// Registered after the listener for the site's own files, one of which is a model library too: the first listener that
// responds wins.
serveModelLibrary(self);

// Reports to pages whether every file is cached, and which requests left the device.
self.addEventListener('message', (event) => {
  const [port] = event.ports;
  if ((event.data as SiteReportMessage | null)?.type !== 'tabserve/site-report' || port === undefined) return;
  const report = async () => {
    const inspected = await site.inspect();
    port.postMessage({
      ...inspected,
      outsideRequests: outsideRequests(),
      isStrict,
    } satisfies SiteReport);
  };
  event.waitUntil(report());
});
