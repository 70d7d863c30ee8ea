import { ApiError } from '../../shared/api-error.ts';
import { DEFAULT_BASE_PATH } from '../../shared/http/base-path.ts';
import {
  PROTOCOL_VERSION,
  VERSION,
  type ClaimMessage,
  type ServiceWorkerVersionReply,
} from '../../shared/messaging/messages.ts';
import { withAbort, withTimeout } from '../../shared/timeout.ts';
import { ANSWER_TIME, type AskVersion } from './ask-version.ts';
import { requireInterception } from './require-interception.ts';
import { failureStrings } from '../strings/failures.ts';

/** What a page knows of the service worker that is in charge of it. */
export interface Control {
  /** Where it answers. */
  readonly basePath: string;
  /** What the developer is to know though all works: that worker and page are of different versions; null for nothing. */
  readonly warning: string | null;
}

/**
 * Resolves when requests of this page reach the service worker of a registration.
 * @param script Address of the script that was registered; another one may still be in charge.
 * @param basePath Where it is to answer; undefined for wherever it does.
 * @param ask See {@link AskVersion}.
 * @throws ApiError `engine_unavailable` when the worker was not installed, is not of this build, has other options, or
 * another one controls the page; `reload_required`; the signal's reason.
 */
export async function takeControl(
  registration: ServiceWorkerRegistration,
  script: string,
  basePath: string | undefined,
  ask: AskVersion,
  signal: AbortSignal,
): Promise<Control> {
  const worker = await withAbort(activeWorker(registration, script), signal);
  const reply = await requireThisVersion(registration, worker, script, basePath, ask, signal);
  await claim(registration, worker, signal);
  const { release, basePath: there = DEFAULT_BASE_PATH } = reply;
  await requireInterception(there, signal);
  // Where one of the two has not been built, nobody knows.
  const isKnown = release !== undefined && release !== '' && VERSION !== '';
  const isOther = isKnown && release !== VERSION && !(await isRightOneWaiting(registration, ask, signal));
  return {
    basePath: there,
    warning: isOther ? failureStrings.otherVersion(worker.scriptURL, release, VERSION) : null,
  };
}

/** The worker that is in charge of the site, once the first one has been installed. */
async function activeWorker(registration: ServiceWorkerRegistration, script: string): Promise<ServiceWorker> {
  for (;;) {
    const { active, installing, waiting } = registration;
    if (active) return active;
    const worker = installing ?? waiting;
    if (!worker)
      fail((await cacheStorageResponds()) ? failureStrings.notInstalled(script) : failureStrings.cachesSilent);
    const changed = new Promise<true>((resolve) =>
      worker.addEventListener('statechange', () => resolve(true), { once: true }),
    );
    // It keeps its files in them before it is installed, however long that takes.
    if (!(await Promise.race([changed, cacheStorageResponds()]))) fail(failureStrings.cachesSilent);
    await changed;
  }
}

/** Milliseconds in which a working Cache Storage lists its caches, even on a busy machine. */
const CACHE_STORAGE_TIMEOUT = 15_000;

/**
 * Whether Cache Storage responds at all. Chromium's may hang after the site's data were cleared while a service worker was
 * storing files. Until the browser restarts, no service worker can then be installed, and no event or error says so.
 */
function cacheStorageResponds(): Promise<boolean> {
  return withTimeout(CACHE_STORAGE_TIMEOUT, listCaches(), false);
}

async function listCaches(): Promise<true> {
  try {
    await caches.keys();
  } catch {
    // An error is a response too: the site may be denied its caches.
  }
  return true;
}

/** A service worker of another build would refuse this page's engine later, and one of another kind ignore it. */
async function requireThisVersion(
  registration: ServiceWorkerRegistration,
  worker: ServiceWorker,
  script: string,
  basePath: string | undefined,
  ask: AskVersion,
  signal: AbortSignal,
): Promise<ServiceWorkerVersionReply> {
  const { scriptURL } = worker;
  const reply = await ask(worker);
  if (reply === null) fail(failureStrings.silent(scriptURL, script));
  if (reply.version !== PROTOCOL_VERSION) {
    const isWaiting = await isRightOneWaiting(registration, ask, signal);
    const sentence = isWaiting ? failureStrings.otherVersionWaits : failureStrings.otherVersion;
    fail(sentence(scriptURL, reply.release ?? 'an earlier one', VERSION));
  }
  if (reply.fault !== undefined) fail(failureStrings.wrongOptions(scriptURL, reply.fault));
  const { basePath: there = DEFAULT_BASE_PATH } = reply;
  if (basePath !== undefined && there !== basePath) fail(failureStrings.otherBasePath(scriptURL, there, basePath));
  return reply;
}

/** Whether the server has a service worker of the page's version, which an older one in other tabs keeps waiting. */
async function isRightOneWaiting(
  registration: ServiceWorkerRegistration,
  ask: AskVersion,
  signal: AbortSignal,
): Promise<boolean> {
  await withAbort(withTimeout(ANSWER_TIME, registration.update(), null), signal).catch(() => signal.throwIfAborted());
  const next = registration.installing ?? registration.waiting;
  return next !== null && (await ask(next))?.release === VERSION;
}

function fail(sentence: string): never {
  throw new ApiError('engine_unavailable', sentence);
}

/**
 * A hard reload leaves the page uncontrolled although the worker has long been active; a first load leaves it so
 * until the worker, once active, claims the page by itself.
 */
async function claim(
  registration: ServiceWorkerRegistration,
  worker: ServiceWorker,
  signal: AbortSignal,
): Promise<void> {
  const { serviceWorker } = navigator;
  const isServed = () => serviceWorker.controller !== null && serviceWorker.controller === registration.active;
  if (isServed()) return;
  const watch = new AbortController();
  const served = new Promise<true>((resolve) => {
    const look = () => {
      if (isServed()) resolve(true);
    };
    serviceWorker.addEventListener('controllerchange', look, { signal: watch.signal });
  });
  worker.postMessage({ type: 'tabserve/claim' } satisfies ClaimMessage);
  if (await withTimeout(ANSWER_TIME, withAbort(served, signal), false).finally(() => watch.abort())) return;
  const { controller } = serviceWorker;
  // Of the same script, though not the same object: this browser may not compare them.
  if (controller?.scriptURL === registration.active?.scriptURL) return;
  throw new ApiError('engine_unavailable', failureStrings.otherController(worker.scriptURL, controller?.scriptURL));
}
