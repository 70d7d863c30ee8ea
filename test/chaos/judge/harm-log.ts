/** Times, by `performance.now()`, of faults that may cause requests to fail. */
export class HarmLog {
  /** Faults that may end a service worker. */
  readonly serviceWorkerFaults: number[] = [];
  /** Times at which the site's data were cleared. */
  readonly clearings: number[] = [];
  readonly outages: { readonly start: number; end: number }[] = [];
}
