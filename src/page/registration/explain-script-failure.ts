import { ApiError } from '../../shared/api-error.ts';
import type { PolicyViolation, PolicyViolations } from '../../shared/security/policy-violations.ts';
import { failureStrings as strings } from '../strings/failure-strings.ts';

/** A worker's script that the browser could not load or start. */
export interface FailedScript {
  readonly kind: 'service worker' | 'engine worker';
  /** Absolute address. */
  readonly script: string;
  /** The browser's error, or its error event. */
  readonly thrown: unknown;
  readonly violations: PolicyViolations;
}

/** Seconds before the page starts its engine again after an unreachable server; the server may be reachable by then. */
const RETRY_AFTER = 2;

/**
 * Creates the error that says why the browser could not load or start a script. Fetches the script again to find the
 * reason, because the browser's own error does not name it.
 */
export async function explainScriptFailure({ kind, script, thrown, violations }: FailedScript): Promise<ApiError> {
  const isEngine = kind === 'engine worker';
  const fail = (message: string, isTransient = false) =>
    new ApiError('engine_unavailable', message, {
      cause: thrown,
      ...(isTransient && isEngine && { retryAfter: RETRY_AFTER }),
    });
  const { origin } = location;
  // With `manual`, fetch reports a redirect instead of following it. Browsers reject a worker script that is
  // redirected.
  const response = await fetch(script, { cache: 'no-store', redirect: 'manual' }).catch(() => null);
  response?.body?.cancel().catch(() => {});
  // Read after the fetch, because the browser may report that the Content-Security-Policy blocked the script only after the
  // script's error event.
  const directive = violations.directiveFor(script, false);
  if (directive !== undefined) return fail(strings.blocked(script, directive));
  if (new URL(script).origin !== origin) return fail(strings.otherOrigin(kind, script, origin));
  const reason = thrown instanceof Error ? thrown.message : '';
  if (response === null) {
    // If the Content-Security-Policy blocked this fetch as well, its failure does not show whether the server is
    // reachable.
    const isUnknown = violations.directiveFor(script, true) !== undefined;
    return isUnknown ? fail(strings.refused(kind, script, reason)) : fail(strings.unreachable(kind, script), true);
  }
  if (response.type === 'opaqueredirect') return fail(strings.redirected(kind, script));
  const { status, headers } = response;
  const type = headers.get('content-type')?.split(';', 1)[0] || 'no content type';
  if (!response.ok) return fail(strings.answered(kind, script, status, type), status >= 500);
  if (!/(java|ecma)script$/i.test(type)) return fail(strings.notAScript(kind, script, type));
  return fail(strings.refused(kind, script, reason), reason === '');
}

/**
 * Creates the error for a Content-Security-Policy that blocks requests to the endpoint before they reach the service
 * worker.
 * @returns null if the violation concerns something else.
 */
export function explainBlockedRequest(violation: PolicyViolation, basePath: string): ApiError | null {
  const { blockedURI, effectiveDirective } = violation;
  const address = new URL(basePath, location.origin).href;
  if (effectiveDirective !== 'connect-src' || !blockedURI.startsWith(address)) return null;
  return blockedRequest(basePath, effectiveDirective);
}

/** Creates the error for requests to the endpoint that a directive blocks. */
export function blockedRequest(basePath: string, directive: string): ApiError {
  return new ApiError('engine_unavailable', strings.blocked(new URL(basePath, location.origin).href, directive));
}
