import type { SiteReport, SiteReportMessage } from '../../shared/messaging/messages.ts';
import { withTimeout } from '../../shared/timeout.ts';

/** Maximum milliseconds to wait for the report. The service worker has to start and to search its cache. */
const TIME_LIMIT = 10_000;

/** Requests the service worker's report about the site; null if no service worker of Tabserve replies. */
export async function requestSiteReport(): Promise<SiteReport | null> {
  const worker = navigator.serviceWorker?.controller;
  if (!worker) return null;
  const { port1, port2 } = new MessageChannel();
  const report = new Promise<SiteReport>((resolve) => {
    port1.addEventListener('message', ({ data }: MessageEvent<SiteReport>) => resolve(data));
  });
  port1.start();
  worker.postMessage({ type: 'tabserve/site-report' } satisfies SiteReportMessage, [port2]);
  try {
    return await withTimeout(TIME_LIMIT, report, null);
  } finally {
    port1.close();
  }
}
