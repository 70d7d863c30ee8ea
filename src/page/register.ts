import { Endpoint } from './endpoint.ts';
import type { Tabserve } from './tabserve.ts';
import { UnsupportedPage } from './unsupported-page.ts';

export interface RegisterOptions {
  /**
   * Address of the service worker script, relative to the page.
   * Default: `/tabserve-service-worker.js`.
   */
  readonly serviceWorker?: string | URL;
  /** `module` for a script that has imports of its own, where the browser knows such service workers. Default: `classic`. */
  readonly serviceWorkerType?: WorkerType;
  /** Pages below this path are served. Default: the folder of the service worker script. */
  readonly scope?: string;
  /** Address of the engine worker script, relative to the page. Default: the one built beside this script. */
  readonly engineWorker?: string | URL;
  /** Id of a model to load at once. Default: none, the first request loads its model. */
  readonly preload?: string;
}

/**
 * Brings up the endpoint for this page: registers the service worker, starts (or finds) the engine, and
 * introduces the two to each other for as long as the page lives. Call it once, as early as possible; it
 * returns at once and never throws.
 */
export function register(options: RegisterOptions = {}): Tabserve {
  if (!isSecureContext) return new UnsupportedPage('insecure-context');
  if (!('serviceWorker' in navigator)) return new UnsupportedPage('no-service-worker');
  return new Endpoint(options);
}
