/** A request that went to another origin than this site's. */
export interface OutsideRequest {
  readonly address: string;
  /** Milliseconds since 1970. */
  readonly time: number;
  /** Bytes that came back; 0 where the other server hides this. */
  readonly bytes: number;
}

/**
 * Every request of this page or worker that left its origin since it started, from the browser's own
 * records. The browser keeps 250 unless told otherwise; see {@link keepAllResourceTimings}.
 */
export function outsideRequests(): readonly OutsideRequest[] {
  return (performance.getEntriesByType('resource') as PerformanceResourceTiming[])
    .filter(({ name }) => /^https?:/.test(name) && new URL(name).origin !== location.origin)
    .map(({ name, startTime, transferSize }) => ({
      address: name,
      time: performance.timeOrigin + startTime,
      bytes: transferSize,
    }));
}

/** Call it early: what the browser has dropped is gone. A large model has some two hundred files. */
export function keepAllResourceTimings(): void {
  performance.setResourceTimingBufferSize(10_000);
}
