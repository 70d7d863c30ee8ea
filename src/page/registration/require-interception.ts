import type { PolicyViolations } from '../../shared/security/policy-violations.ts';
import { sleep, withTimeout } from '../../shared/timeout.ts';
import { ENGINE_HEADER } from '../../shared/upstreams/upstream.ts';
import { REPLY_TIMEOUT } from './ask-version.ts';
import { blockedRequest } from './explain-blocked-request.ts';

/** Milliseconds that may pass between the failure of a blocked request and the event that reports the violation. */
const VIOLATION_DELAY = 100;

/**
 * Checks that the service worker intercepts a request of this page. In Chromium (156) a page that was loaded while its
 * service worker was being stopped has a controller, but its requests go to the web server. Only a reload of the page
 * helps: claiming, registering again and restarting the worker do not.
 * @param basePath Path of the endpoint.
 * @param violations The page's violations of its Content-Security-Policy. Default: the policy is not checked.
 * @throws ApiError `reload_required` if the web server answered; `engine_unavailable` if the policy blocks the request; the signal's reason if it aborts.
 */
export async function requireInterception(
  basePath: string,
  signal: AbortSignal,
  violations: PolicyViolations | null = null,
): Promise<void> {
  const address = new URL(`${basePath}/models`, location.href).href;
  // OPTIONS needs no API key and is not logged. A request that fails, for instance offline, does not show whether the
  // service worker received it, so it counts as intercepted. BypassWatch checks later requests.
  const attempt = fetch(address, { method: 'OPTIONS', cache: 'no-store', signal }).catch(() => null);
  const response = await withTimeout(REPLY_TIMEOUT, attempt, null);
  signal.throwIfAborted();
  if (response === null && violations) {
    await sleep(VIOLATION_DELAY, signal);
    const directive = violations.directiveFor(address, true);
    if (directive !== undefined) throw blockedRequest(basePath, directive);
  }
  if (response && !response.headers.has(ENGINE_HEADER)) {
    throw (await import('./control-failures.ts')).bypassed(address, response.status);
  }
}
