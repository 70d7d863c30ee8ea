import { DEFAULT_BASE_PATH } from '../../shared/http/base-path.ts';
import {
  PROTOCOL_VERSION,
  VERSION,
  type ClaimMessage,
  type ServiceWorkerVersionReply,
} from '../../shared/messaging/messages.ts';
import type { ModelEntry } from '../../shared/models/model-entry.ts';
import type { PolicyViolations } from '../../shared/security/policy-violations.ts';
import { withAbort, withTimeout } from '../../shared/timeout.ts';
import { REPLY_TIMEOUT, type AskVersion } from './ask-version.ts';
import { requireInterception } from './require-interception.ts';
import { loadFailures, requireReply } from './require-reply.ts';

/** The facts about the controlling service worker that a page needs. */
export interface Control {
  /** Path of the endpoint. */
  readonly basePath: string;
  /** The models that the site provides. */
  readonly models: readonly ModelEntry[];
  /**
   * A sentence for the site's developer if service worker and page have different but compatible versions; otherwise
   * null.
   */
  readonly warning: string | null;
}

/**
 * Resolves when the service worker of a registration intercepts this page's requests.
 * @param script Address of the registered script. Another worker may still control the site.
 * @param basePath Expected path of the endpoint; undefined for any.
 * @throws ApiError `engine_unavailable` if the worker could not be installed, is of an incompatible build or has other
 * options, or if another one controls the page; `reload_required` if requests bypass the worker; the signal's reason if
 * it aborts.
 */
export async function takeControl(
  registration: ServiceWorkerRegistration,
  script: string,
  basePath: string | undefined,
  ask: AskVersion,
  violations: PolicyViolations,
  signal: AbortSignal,
): Promise<Control> {
  const worker = await withAbort(activeWorker(registration, script), signal);
  const reply = await requireThisVersion(registration, worker, basePath, ask, signal);
  await claim(registration, worker, signal);
  const { release, basePath: there = DEFAULT_BASE_PATH, siteModels } = reply;
  await requireInterception(there, signal, violations);
  // Scripts that were not built have an empty version, which cannot be compared.
  const isOther = release !== undefined && release !== '' && VERSION !== '' && release !== VERSION;
  return {
    basePath: there,
    models: siteModels?.entries ?? [],
    warning: isOther
      ? await (await loadFailures()).versionWarning(registration, worker.scriptURL, release, ask, signal)
      : null,
  };
}

/** Waits until the first worker of a registration is active. */
async function activeWorker(registration: ServiceWorkerRegistration, script: string): Promise<ServiceWorker> {
  for (;;) {
    const { active, installing, waiting } = registration;
    if (active) return active;
    const worker = installing ?? waiting;
    if (!worker) throw (await loadFailures()).notInstalled(script, await cacheStorageResponds());
    const changed = new Promise<true>((resolve) =>
      worker.addEventListener('statechange', () => resolve(true), { once: true }),
    );
    // An installation may take long, so there is no timeout. But if Cache Storage does not respond, the installation
    // never ends, and the user must be told.
    if (!(await Promise.race([changed, cacheStorageResponds()])))
      throw (await loadFailures()).notInstalled(script, false);
    await changed;
  }
}

/** Milliseconds in which a working Cache Storage reads a cache, even on a busy machine. */
const CACHE_STORAGE_TIMEOUT = 15_000;

/**
 * Whether Cache Storage responds. In Chromium it may hang after the site's data were cleared while a service worker was
 * storing files: all of it, or each cache that existed then. Then no service worker can be installed until all tabs
 * of the site are closed, or only until the browser restarts, and no event or error reports that.
 */
function cacheStorageResponds(): Promise<boolean> {
  return withTimeout(CACHE_STORAGE_TIMEOUT, readAnyCache(), false);
}

/** Resolves when the first cache has responded, or if there is none. */
async function readAnyCache(): Promise<true> {
  try {
    const names = await caches.keys();
    // `caches.open()` would create a cache that was deleted a moment ago.
    if (names.length > 0) await Promise.any(names.map((cacheName) => caches.match(location.href, { cacheName })));
  } catch {
    // An error is a response, too: the browser may deny this site its caches.
  }
  return true;
}

/**
 * Throws if a worker has an incompatible version or other options: it would later refuse or ignore this page's engine.
 */
async function requireThisVersion(
  registration: ServiceWorkerRegistration,
  worker: ServiceWorker,
  basePath: string | undefined,
  ask: AskVersion,
  signal: AbortSignal,
): Promise<ServiceWorkerVersionReply> {
  const { scriptURL } = worker;
  const reply = await requireReply(worker, ask);
  if (reply.version !== PROTOCOL_VERSION)
    throw await (await loadFailures()).incompatible(registration, worker, reply, ask, signal);
  if (reply.fault !== undefined) throw (await loadFailures()).wrongOptions(scriptURL, reply.fault);
  const { basePath: there = DEFAULT_BASE_PATH } = reply;
  if (basePath !== undefined && there !== basePath)
    throw (await loadFailures()).otherBasePath(scriptURL, there, basePath);
  return reply;
}

/**
 * Resolves when the registration's worker controls this page. A page has no controller after a hard reload, and on its
 * first load until the new worker has claimed it.
 */
async function claim(
  registration: ServiceWorkerRegistration,
  worker: ServiceWorker,
  signal: AbortSignal,
): Promise<void> {
  const { serviceWorker } = navigator;
  const isControlled = () => serviceWorker.controller !== null && serviceWorker.controller === registration.active;
  if (isControlled()) return;
  const watch = new AbortController();
  const controlled = new Promise<true>((resolve) => {
    const check = () => {
      if (isControlled()) resolve(true);
    };
    serviceWorker.addEventListener('controllerchange', check, { signal: watch.signal });
  });
  worker.postMessage({ type: 'tabserve/claim' } satisfies ClaimMessage);
  if (await withTimeout(REPLY_TIMEOUT, withAbort(controlled, signal), false).finally(() => watch.abort())) return;
  const { controller } = serviceWorker;
  // Compares addresses, because some browsers represent the same worker by different objects.
  if (controller?.scriptURL === registration.active?.scriptURL) return;
  throw (await loadFailures()).notControlled(worker.scriptURL, controller?.scriptURL);
}
