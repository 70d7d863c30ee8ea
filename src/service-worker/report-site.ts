import { matchPrecache, type PrecacheEntry } from 'workbox-precaching';
import { outsideRequests } from '../shared/outside-requests.ts';
import type { SiteReport, SiteReportMessage } from '../shared/site-report.ts';

/** Answers pages that ask whether the whole page is on this device, and what left it. */
export function reportSite(worker: ServiceWorkerGlobalScope, manifest: readonly (string | PrecacheEntry)[]): void {
  worker.addEventListener('message', (event) => {
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
