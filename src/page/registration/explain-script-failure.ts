import { ApiError } from '../../shared/api-error.ts';
import type { PolicyViolation, PolicyViolations } from '../../shared/security/policy-violations.ts';
import { failureStrings as strings } from '../strings/failures.ts';

/** A script of Tabserve's that the browser did not start. */
export interface FailedScript {
  readonly kind: 'service worker' | 'engine worker';
  /** Its address. */
  readonly script: string;
  /** What the browser threw, or the event in its place. */
  readonly thrown: unknown;
  /** What the page's policy has blocked. */
  readonly violations: PolicyViolations;
}

/** Seconds after which a server that was away may have come back; a page asks for its engine again by itself. */
const RETRY_AFTER = 2;

/**
 * Finds out why the browser did not take the script of a worker. It says little about that itself, so the script is
 * fetched once more.
 */
export async function explainScriptFailure({ kind, script, thrown, violations }: FailedScript): Promise<ApiError> {
  const isEngine = kind === 'engine worker';
  const fail = (message: string, isTransient = false) =>
    new ApiError('engine_unavailable', message, {
      cause: thrown,
      ...(isTransient && isEngine && { retryAfter: RETRY_AFTER }),
    });
  const { origin } = location;
  // A redirect is not followed, because browsers do not follow it either.
  const response = await fetch(script, { cache: 'no-store', redirect: 'manual' }).catch(() => null);
  response?.body?.cancel().catch(() => {});
  // By now the browser has told of what it blocked.
  const directive = violations.directiveFor(script, false);
  if (directive !== undefined) return fail(strings.blocked(script, directive));
  if (new URL(script).origin !== origin) return fail(strings.otherOrigin(kind, script, origin));
  const reason = thrown instanceof Error ? thrown.message : '';
  if (response === null) {
    // The policy may block this very look.
    const isUnknown = violations.directiveFor(script, true) !== undefined;
    return isUnknown ? fail(strings.refused(kind, script, reason)) : fail(strings.unreachable(kind, script), true);
  }
  if (response.type === 'opaqueredirect') return fail(strings.redirected(kind, script));
  const { status, headers } = response;
  const type = headers.get('content-type')?.split(';', 1)[0] || 'no type of content';
  if (!response.ok) return fail(strings.answered(kind, script, status, type), status >= 500);
  if (!/(java|ecma)script$/i.test(type)) return fail(strings.notAScript(kind, script, type));
  return fail(strings.refused(kind, script, reason), reason === '');
}

/**
 * What it means for the endpoint that the page's policy has blocked something: requests below its path never reach the
 * service worker then.
 * @returns null where it was something else.
 */
export function explainBlockedRequest(violation: PolicyViolation, basePath: string): ApiError | null {
  const { blockedURI, effectiveDirective } = violation;
  const address = new URL(basePath, location.origin).href;
  if (effectiveDirective !== 'connect-src' || !blockedURI.startsWith(address)) return null;
  return new ApiError('engine_unavailable', strings.blocked(address, effectiveDirective));
}
