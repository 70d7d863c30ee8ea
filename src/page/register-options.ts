import { ApiError } from '../shared/api-error.ts';
import { readBasePath } from '../shared/http/base-path.ts';
import { failureStrings } from './strings/failure-strings.ts';

/** Defined at build time by Tabserve's Vite plugin, which knows the address of the service worker script. */
declare const TABSERVE_DEFAULTS: ScriptOptions | undefined;

type ScriptOptions = Required<Pick<RegisterOptions, 'serviceWorker' | 'serviceWorkerType'>> &
  Pick<RegisterOptions, 'autoUpdate'>;

export const REGISTER_DEFAULTS: ScriptOptions =
  typeof TABSERVE_DEFAULTS === 'undefined'
    ? { serviceWorker: '/tabserve-service-worker.js', serviceWorkerType: 'classic' }
    : TABSERVE_DEFAULTS;

export interface RegisterOptions {
  /**
   * Address of the service worker script, relative to the page and of the same origin.
   * Default: `/tabserve-service-worker.js`, or where the Vite plugin has put the script.
   */
  readonly serviceWorker?: string | URL;
  /** `module` for a script with import statements, if the browser supports module service workers. Default: `classic`. */
  readonly serviceWorkerType?: WorkerType;
  /**
   * Scope of the service worker. Default: the folder of its script; a wider scope needs the header `Service-Worker-Allowed` on
   * the script.
   */
  readonly scope?: string;
  /** Address of the engine worker script, relative to the page. Default: the one beside this script. */
  readonly engineWorker?: string | URL;
  /** Expected path of the endpoint; must equal the service worker's. Default: not checked. */
  readonly basePath?: string;
  /** Id of a model to load immediately if no model is loaded. Default: the first request loads its model. */
  readonly preload?: string;
  /**
   * Registers the service worker in place of Tabserve, for a site that uses a library such as workbox-window. Called
   * again if the registration is lost. Default: `navigator.serviceWorker.register()`.
   */
  readonly registerServiceWorker?: RegisterServiceWorker;
  /**
   * Whether a newer service worker with other options takes over without {@link Tabserve.applyUpdate}, once no response is
   * being sent. Default: true; false if the site registers its service worker by a library, which then decides.
   */
  readonly autoUpdate?: boolean;
  /**
   * Address of a hub: a site whose models and engine this one uses, see `docs/hub.md`. If the hub does not serve this page,
   * the site's own engine answers, and {@link Tabserve.status} says why. Default: the site's own engine.
   */
  readonly hub?: string | URL;
}

/** Like `navigator.serviceWorker.register()`; rejects with the same errors. */
export type RegisterServiceWorker = (script: URL, options: RegistrationOptions) => Promise<ServiceWorkerRegistration>;

/** {@link RegisterOptions} with absolute addresses; undefined means the default of the browser, build or service worker. */
export interface ResolvedOptions {
  readonly serviceWorker: URL;
  readonly serviceWorkerType: WorkerType;
  readonly scope: URL | undefined;
  readonly engineWorker: URL | undefined;
  readonly basePath: string | undefined;
  readonly preload: string | undefined;
  readonly registerServiceWorker: RegisterServiceWorker;
  /** Whether the site registers its service worker itself. */
  readonly hasOwnRegistration: boolean;
  readonly autoUpdate: boolean;
  /** With a trailing slash. */
  readonly hub: URL | undefined;
}

/**
 * Validates the options. Throws for values that the browser would reject with a less clear error, or would accept
 * although they cannot work.
 * @throws ApiError `engine_unavailable` for an invalid option; the message is a sentence for the developer.
 */
export function resolveOptions(options: RegisterOptions): ResolvedOptions {
  const {
    serviceWorker = REGISTER_DEFAULTS.serviceWorker,
    serviceWorkerType = REGISTER_DEFAULTS.serviceWorkerType,
    preload,
    registerServiceWorker = (url, registration) => navigator.serviceWorker.register(url.href, registration),
    autoUpdate = REGISTER_DEFAULTS.autoUpdate ?? options.registerServiceWorker === undefined,
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
    registerServiceWorker,
    hasOwnRegistration: options.registerServiceWorker !== undefined,
    autoUpdate,
    hub: options.hub === undefined ? undefined : resolveAddress('hub', String(options.hub).replace(/\/?$/, '/')),
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
  // An `about:srcdoc` frame has no origin in its address; its parent's service worker controls it, so the origins are
  // not compared.
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
