import type { SiteReport, SiteReportMessage } from '../../shared/site-report.ts';

/** Milliseconds a service worker may take to start and to look through its cache. */
const PATIENCE = 10_000;

/** What the service worker of this site says; null where none is in charge, or it is another kind of one. */
export function askSite(): Promise<SiteReport | null> {
  const worker = navigator.serviceWorker?.controller;
  if (!worker) return Promise.resolve(null);
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    const finish = (report: SiteReport | null) => {
      clearTimeout(timer);
      port1.close();
      resolve(report);
    };
    const timer = setTimeout(() => finish(null), PATIENCE);
    port1.addEventListener('message', ({ data }: MessageEvent<SiteReport>) => finish(data));
    port1.start();
    worker.postMessage({ type: 'tabserve/site-report' } satisfies SiteReportMessage, [port2]);
  });
}
