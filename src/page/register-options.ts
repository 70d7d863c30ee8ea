import { ApiError } from '../shared/api-error.ts';
import { readBasePath } from '../shared/http/base-path.ts';
import { failureStrings } from './strings/failures.ts';

/** Declared before the built module by a bundler's plugin that knows at which address it has put the script. */
declare const TABSERVE_DEFAULTS: ScriptOptions | undefined;

type ScriptOptions = Required<Pick<RegisterOptions, 'serviceWorker' | 'serviceWorkerType'>>;

/** What {@link RegisterOptions} stand for where they are left out. */
export const REGISTER_DEFAULTS: ScriptOptions =
  typeof TABSERVE_DEFAULTS === 'undefined'
    ? { serviceWorker: '/tabserve-service-worker.js', serviceWorkerType: 'classic' }
    : TABSERVE_DEFAULTS;

export interface RegisterOptions {
  /**
   * Address of the service worker script, relative to the page; of the page's origin.
   * Default: `/tabserve-service-worker.js`; with the Vite plugin, where that has put it.
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
  /** Path of the endpoint, to be compared with what the service worker was told. Default: whatever that was. */
  readonly basePath?: string;
  /** Id of a model to load at once. Default: none, the first request loads its model. */
  readonly preload?: string;
}

/** {@link RegisterOptions} with whole addresses; undefined stands for the default of the browser, build or service worker. */
export interface ResolvedOptions {
  readonly serviceWorker: URL;
  readonly serviceWorkerType: WorkerType;
  readonly scope: URL | undefined;
  readonly engineWorker: URL | undefined;
  readonly basePath: string | undefined;
  readonly preload: string | undefined;
}

/**
 * What the options mean on this page. Refused is also what the browser would refuse less clearly, or would accept
 * although it can never work.
 * @throws ApiError `engine_unavailable` with a sentence for the developer.
 */
export function resolveOptions(options: RegisterOptions): ResolvedOptions {
  const {
    serviceWorker = REGISTER_DEFAULTS.serviceWorker,
    serviceWorkerType = REGISTER_DEFAULTS.serviceWorkerType,
    preload,
  } = options;
  const script = resolveAddress('serviceWorker', serviceWorker);
  const engineWorker =
    options.engineWorker === undefined ? undefined : resolveAddress('engineWorker', options.engineWorker);
  const scope = options.scope === undefined ? undefined : resolveAddress('scope', options.scope);
  requirePageInScope(script, scope ?? new URL('./', script));
  if (engineWorker) requireSameOrigin('engine worker', engineWorker);
  return {
    serviceWorker: script,
    serviceWorkerType,
    scope,
    engineWorker,
    basePath: options.basePath === undefined ? undefined : checkedBasePath(options.basePath),
    preload,
  };
}

function resolveAddress(option: string, value: string | URL): URL {
  if (URL.canParse(value, document.baseURI)) return new URL(value, document.baseURI);
  throw new ApiError('engine_unavailable', failureStrings.noAddress(option, JSON.stringify(value)));
}

function checkedBasePath(path: string): string {
  try {
    return readBasePath(path);
  } catch (thrown) {
    throw new ApiError('engine_unavailable', (thrown as TypeError).message);
  }
}

function requireSameOrigin(kind: 'service worker' | 'engine worker', script: URL): void {
  const { origin, protocol } = location;
  // A frame without an address of its own (`about:srcdoc`) belongs to the service worker of the page around it.
  if (!protocol.startsWith('http') || script.origin === origin) return;
  throw new ApiError('engine_unavailable', failureStrings.otherOrigin(kind, script.href, origin));
}

function requirePageInScope(script: URL, scope: URL): void {
  requireSameOrigin('service worker', script);
  const { protocol, href } = location;
  if (protocol.startsWith('http') && !href.startsWith(scope.href)) {
    throw new ApiError('engine_unavailable', failureStrings.outsideScope(href, scope.href, script.href));
  }
}
