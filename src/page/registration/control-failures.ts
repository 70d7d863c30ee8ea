import { ApiError } from '../../shared/api-error.ts';
import { engineUnavailable } from '../../shared/engine/engine-errors.ts';
import { VERSION, type ServiceWorkerVersionReply } from '../../shared/messaging/messages.ts';
import { withAbort, withTimeout } from '../../shared/timeout.ts';
import { controlFailureStrings } from '../strings/control-failure-strings.ts';
import { REPLY_TIMEOUT, type AskVersion } from './ask-version.ts';

/** Seconds after which a page tries again where time may help: a service worker, or the browser, did not reply. */
const RETRY_AFTER = 2;

/** @param cachesRespond Whether Cache Storage, in which an installation stores files, works. */
export function notInstalled(script: string, cachesRespond: boolean): ApiError {
  if (cachesRespond) return engineUnavailable(controlFailureStrings.notInstalled(script), RETRY_AFTER);
  const { cachesSilent: text } = controlFailureStrings;
  // Has a code, because the person must act, not the site's developer.
  return new ApiError('engine_unavailable', { text, sentences: [{ code: 'cacheStorageSilent', values: [] }] });
}

/** A service worker did not reply. It may be busy, or was stopped with its process when it had got the question. */
export function silent(script: string): ApiError {
  return engineUnavailable(controlFailureStrings.silent(script), RETRY_AFTER);
}

/** A service worker has another protocol than this page. */
export async function incompatible(
  registration: ServiceWorkerRegistration,
  { scriptURL }: ServiceWorker,
  { release: there = 'an earlier one' }: ServiceWorkerVersionReply,
  ask: AskVersion,
  signal: AbortSignal,
): Promise<ApiError> {
  const { otherVersion, otherVersionWaits } = controlFailureStrings;
  const sentence = (await isRightOneWaiting(registration, ask, signal)) ? otherVersionWaits : otherVersion;
  return new ApiError('engine_unavailable', sentence(scriptURL, there, VERSION));
}

export function wrongOptions(script: string, fault: string): ApiError {
  return new ApiError('engine_unavailable', controlFailureStrings.wrongOptions(script, fault));
}

export function otherBasePath(script: string, there: string, here: string): ApiError {
  return new ApiError('engine_unavailable', controlFailureStrings.otherBasePath(script, there, here));
}

/** @param controller Address of the service worker that controls the page; undefined for none. */
export function notControlled(script: string, controller: string | undefined): ApiError {
  const sentence = controlFailureStrings.otherController(script, controller);
  return controller === undefined
    ? engineUnavailable(sentence, RETRY_AFTER)
    : new ApiError('engine_unavailable', sentence);
}

/** @returns a sentence if the service worker's version is not the page's and the right one is not waiting; else null. */
export async function versionWarning(
  registration: ServiceWorkerRegistration,
  script: string,
  release: string,
  ask: AskVersion,
  signal: AbortSignal,
): Promise<string | null> {
  return (await isRightOneWaiting(registration, ask, signal))
    ? null
    : controlFailureStrings.otherVersion(script, release, VERSION);
}

/** The web server answered a request of a page that the browser says is controlled. */
export function bypassed(address: string, status: number): ApiError {
  return new ApiError('reload_required', controlFailureStrings.goPast(address, status));
}

/**
 * Whether a service worker of the page's version is being installed, or waits because other tabs still use an older
 * one.
 */
async function isRightOneWaiting(
  registration: ServiceWorkerRegistration,
  ask: AskVersion,
  signal: AbortSignal,
): Promise<boolean> {
  await withAbort(withTimeout(REPLY_TIMEOUT, registration.update(), null), signal).catch(() => signal.throwIfAborted());
  const next = registration.installing ?? registration.waiting;
  return next !== null && (await ask(next))?.release === VERSION;
}
