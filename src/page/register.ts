import type { Tabserve } from './tabserve.ts';

export interface RegisterOptions {
  /**
   * Address of the service worker script, relative to the page.
   * Default: `tabserve-service-worker.js` at the root of the origin.
   */
  readonly serviceWorker?: string | URL;
  /** `module` is needed by Vite's dev server only. Default: `classic`. */
  readonly serviceWorkerType?: WorkerType;
  /** Pages below this path are served. Default: the folder of the script. */
  readonly scope?: string;
  /** Id of a model to load at once. Default: none, the first request loads its model. */
  readonly preload?: string;
}

/**
 * Brings up the endpoint for this page: registers the service worker, starts (or finds) the engine, and
 * introduces the two to each other for as long as the page lives. Call it once, as early as possible.
 */
export declare function register(options?: RegisterOptions): Tabserve;
