import { LEAK_DOMAIN } from './leak-domain.ts';

/** A cross-origin request. */
export interface OutsideRequest {
  readonly address: string;
  /** Milliseconds since 1970. */
  readonly time: number;
  /** Size of the response; 0 if the server does not send `Timing-Allow-Origin`. */
  readonly bytes: number;
}

/**
 * The cross-origin requests of this page or worker since it started, from the browser's resource timings. Hosts in
 * {@link LEAK_DOMAIN}, which the Privacy screen's attempts to leak name, are left out.
 */
export function outsideRequests(): readonly OutsideRequest[] {
  return (performance.getEntriesByType('resource') as PerformanceResourceTiming[])
    .filter(({ name }) => /^https?:/.test(name) && new URL(name).origin !== location.origin)
    .filter(({ name }) => !new URL(name).hostname.endsWith(`.${LEAK_DOMAIN}`))
    .map(({ name, startTime, transferSize }) => ({
      address: name,
      time: performance.timeOrigin + startTime,
      bytes: transferSize,
    }));
}

/**
 * Raises the browser's limit of resource timings, so that {@link outsideRequests} misses none. Call it at startup. The
 * default limit is 250, and one large model has about two hundred files.
 */
export function keepAllResourceTimings(): void {
  performance.setResourceTimingBufferSize(10_000);
}
