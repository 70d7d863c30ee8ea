import { ApiError } from '../../shared/api-error.ts';
import type { PolicyViolation } from '../../shared/security/policy-violations.ts';
import { failureStrings } from '../strings/failure-strings.ts';

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
  return new ApiError('engine_unavailable', failureStrings.blocked(new URL(basePath, location.origin).href, directive));
}
