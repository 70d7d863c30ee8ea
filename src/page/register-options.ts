import { ApiError } from '../shared/api-error.ts';
import { failureStrings } from './strings/failures.ts';

export interface RegisterOptions {
  /**
   * Address of the service worker script, relative to the page; of the page's origin.
   * Default: `/tabserve-service-worker.js`.
   */
  readonly serviceWorker?: string | URL;
  /** `module` for a script that has imports of its own, where the browser knows such service workers. Default: `classic`. */
  readonly serviceWorkerType?: WorkerType;
  /**
   * Pages below this path are served. Default: the folder of the service worker script; a wider one needs the header
   * `Service-Worker-Allowed` on that script.
   */
  readonly scope?: string;
  /** Address of the engine worker script, relative to the page. Default: the one built beside this script. */
  readonly engineWorker?: string | URL;
  /** Id of a model to load at once. Default: none, the first request loads its model. */
  readonly preload?: string;
}

/** {@link RegisterOptions} with whole addresses; undefined stands for the default of the browser or the build. */
export interface ResolvedOptions {
  readonly serviceWorker: URL;
  readonly serviceWorkerType: WorkerType;
  readonly scope: URL | undefined;
  readonly engineWorker: URL | undefined;
  readonly preload: string | undefined;
}

/**
 * What the options mean on this page. Refused is also what the browser would refuse less clearly, or would accept
 * although it can never work.
 * @throws ApiError `engine_unavailable` with a sentence for the developer.
 */
export function resolveOptions(options: RegisterOptions): ResolvedOptions {
  const { serviceWorker = '/tabserve-service-worker.js', serviceWorkerType = 'classic', preload } = options;
  const script = resolveAddress('serviceWorker', serviceWorker);
  const scope = options.scope === undefined ? undefined : resolveAddress('scope', options.scope);
  requirePageInScope(script, scope ?? new URL('./', script));
  const { engineWorker } = options;
  return {
    serviceWorker: script,
    serviceWorkerType,
    scope,
    engineWorker: engineWorker === undefined ? undefined : resolveAddress('engineWorker', engineWorker),
    preload,
  };
}

function resolveAddress(option: string, value: string | URL): URL {
  if (URL.canParse(value, document.baseURI)) return new URL(value, document.baseURI);
  throw new ApiError('engine_unavailable', failureStrings.noAddress(option, JSON.stringify(value)));
}

function requirePageInScope(script: URL, scope: URL): void {
  const { origin, protocol, href } = location;
  // A frame without an address of its own (`about:srcdoc`) belongs to the service worker of the page around it.
  if (!protocol.startsWith('http')) return;
  if (script.origin !== origin) {
    throw new ApiError('engine_unavailable', failureStrings.otherOrigin(script.href, origin));
  }
  if (!href.startsWith(scope.href)) {
    throw new ApiError('engine_unavailable', failureStrings.outsideScope(href, scope.href, script.href));
  }
}
