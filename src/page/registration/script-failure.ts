import { ApiError } from '../../shared/api-error.ts';
import type { PolicyViolations } from '../../shared/security/policy-violations.ts';
import { failureStrings } from '../strings/failure-strings.ts';

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
 * Creates the error that says why the browser could not load or start a script. What finds the reason is loaded now,
 * because few pages need it; if it cannot be loaded either, the server is unreachable.
 */
export async function scriptFailure(failed: FailedScript): Promise<ApiError> {
  const loaded = await import('./explain-script-failure.ts').catch(() => null);
  if (loaded) return loaded.explainScriptFailure(failed);
  const { kind, script, thrown } = failed;
  return transientFailure(kind, failureStrings.unreachable(kind, script), thrown);
}

/** Creates the error of a failure that may be over soon. An engine is then started again by the page itself. */
export function transientFailure(kind: FailedScript['kind'], message: string, cause: unknown): ApiError {
  return new ApiError('engine_unavailable', message, {
    cause,
    ...(kind === 'engine worker' && { retryAfter: RETRY_AFTER }),
  });
}
