import { ApiError } from '../../shared/api-error.ts';
import { withTimeout } from '../../shared/timeout.ts';
import { ENGINE_HEADER } from '../../shared/upstreams/upstream.ts';
import { ANSWER_TIME } from './ask-version.ts';
import { failureStrings } from '../strings/failures.ts';

/**
 * Sees whether a request of this page reaches the service worker that is in charge of it. Chromium (156) has pages where
 * none does: loaded while their worker was being stopped, they are shown as controlled, and their requests go to the web
 * server until they are loaded again. Neither a claim nor a registration nor a restart of the worker helps.
 * @param basePath Where the service worker answers.
 * @throws ApiError `reload_required`; the signal's reason.
 */
export async function requireInterception(basePath: string, signal: AbortSignal): Promise<void> {
  const address = new URL(`${basePath}/models`, location.href).href;
  // It costs neither a key nor a record. One that fails altogether, as without a network, does not say where it went: it
  // stops no page, since most are reached, and BypassWatch looks again at what the page asks next.
  const attempt = fetch(address, { method: 'OPTIONS', cache: 'no-store', signal }).catch(() => null);
  const response = await withTimeout(ANSWER_TIME, attempt, null);
  signal.throwIfAborted();
  if (response && !response.headers.has(ENGINE_HEADER)) {
    throw new ApiError('reload_required', failureStrings.goPast(address, response.status));
  }
}
