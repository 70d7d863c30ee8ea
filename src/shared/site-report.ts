import type { OutsideRequest } from './outside-requests.ts';

/** Window → service worker of the site, with a reply port as the only transferred object. */
export interface SiteReportMessage {
  readonly type: 'tabserve/site-report';
}

/** Service worker → window, on the reply port: what only it can know. */
export interface SiteReport {
  /** Number of files that the page consists of. */
  readonly files: number;
  /** Those that are not in the cache, so that the page would not open without a network. */
  readonly missing: readonly string[];
  /** Its own requests to other origins since it was started; it is stopped and started often. */
  readonly outsideRequests: readonly OutsideRequest[];
}
