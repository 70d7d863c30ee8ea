import { ApiError } from '../shared/api-error.ts';
import { logError } from './console/log-error.ts';
import { failureStatus, unsupportedStatus, type UnsupportedReason } from './status/page-status.ts';
import { REGISTER_DEFAULTS, resolveOptions, type RegisterOptions } from './register-options.ts';
import { RegisteredTabserve } from './registered-tabserve.ts';
import { failureStrings } from './strings/failure-strings.ts';
import type { Tabserve } from './tabserve.ts';
import { UnavailableTabserve } from './unavailable-tabserve.ts';

/** The result of the first call of `register()`, until its `dispose()` is called. */
let registered: { readonly options: RegisterOptions; readonly tabserve: Tabserve } | null = null;

/**
 * Starts the endpoint for this page: registers the service worker, starts or finds the engine, and keeps the two
 * connected while the page is open. Call it once, as early as possible.
 *
 * Returns at once and never throws, not even on a server. Failures reject `ready`, set `status`, and are logged to the
 * console in a line that begins with `[tabserve]`.
 *
 * A page has one endpoint: later calls return the first call's result. Options that differ have no effect and are named
 * on the console. After `dispose()` a new endpoint can be registered.
 */
export function register(options: RegisterOptions = {}): Tabserve {
  if (registered) {
    const differing = differingOptions(registered.options, options);
    if (differing.length > 0) logError(failureStrings.otherOptions(differing));
    return registered.tabserve;
  }
  const tabserve = createTabserve(options, () => {
    registered = null;
  });
  registered = { options, tabserve };
  return tabserve;
}

function createTabserve(options: RegisterOptions, onDispose: () => void): Tabserve {
  const reason = unsupportedReason();
  if (reason) {
    const status = unsupportedStatus(reason);
    return new UnavailableTabserve(status, new ApiError('engine_unavailable', status.message), onDispose);
  }
  try {
    return new RegisteredTabserve(resolveOptions(options), onDispose);
  } catch (thrown) {
    const error = ApiError.from(thrown);
    return new UnavailableTabserve(failureStatus(error), error, onDispose);
  }
}

function unsupportedReason(): UnsupportedReason | null {
  if (typeof document === 'undefined') return 'no-window';
  // Browsers consider files secure, but give them no service worker.
  if (!isSecureContext || location.protocol === 'file:') return 'insecure-context';
  try {
    // In a sandboxed frame, reading `navigator.serviceWorker` throws.
    return 'serviceWorker' in navigator && navigator.serviceWorker ? null : 'no-service-worker';
  } catch {
    return 'no-service-worker';
  }
}

function differingOptions(first: RegisterOptions, second: RegisterOptions): readonly string[] {
  const [before, after] = [normalise(first), normalise(second)];
  return Object.keys(before).filter((name) => before[name] !== after[name]);
}

/** Converts options to strings, so that equivalent options compare as equal. */
function normalise(options: RegisterOptions): Record<string, string | undefined> {
  const { scope, engineWorker, basePath, preload, autoUpdate, hub } = options;
  const { serviceWorker = REGISTER_DEFAULTS.serviceWorker, serviceWorkerType = REGISTER_DEFAULTS.serviceWorkerType } =
    options;
  return {
    serviceWorker: address(serviceWorker),
    serviceWorkerType,
    scope: address(scope),
    engineWorker: address(engineWorker),
    basePath,
    preload,
    autoUpdate: autoUpdate?.toString(),
    hub: address(hub)?.replace(/\/?$/, '/'),
  };
}

function address(value: string | URL | undefined): string | undefined {
  const base = typeof document === 'undefined' ? undefined : document.baseURI;
  return value === undefined || !URL.canParse(value, base) ? value?.toString() : new URL(value, base).href;
}
