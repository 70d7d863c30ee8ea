import { ApiError } from '../../shared/api-error.ts';
import { failureStrings } from '../strings/failure-strings.ts';
import { scriptFailureStrings as strings } from '../strings/script-failure-strings.ts';
import { transientFailure, type FailedScript } from './script-failure.ts';

/**
 * Creates the error that says why the browser could not load or start a script. Fetches the script again to find the
 * reason, because the browser's own error does not name it.
 */
export async function explainScriptFailure({ kind, script, thrown, violations }: FailedScript): Promise<ApiError> {
  const fail = (message: string, isTransient = false) =>
    isTransient
      ? transientFailure(kind, message, thrown)
      : new ApiError('engine_unavailable', message, { cause: thrown });
  const { origin } = location;
  // With `manual`, fetch reports a redirect instead of following it. Browsers reject a worker script that is
  // redirected.
  const response = await fetch(script, { cache: 'no-store', redirect: 'manual' }).catch(() => null);
  response?.body?.cancel().catch(() => {});
  // Read after the fetch, because the browser may report that the Content-Security-Policy blocked the script only after the
  // script's error event.
  const directive = violations.directiveFor(script, false);
  if (directive !== undefined) return fail(failureStrings.blocked(script, directive));
  if (new URL(script).origin !== origin) return fail(failureStrings.otherOrigin(kind, script, origin));
  const reason = thrown instanceof Error ? thrown.message : '';
  if (response === null) {
    // If the Content-Security-Policy blocked this fetch as well, its failure does not show whether the server is
    // reachable.
    const isUnknown = violations.directiveFor(script, true) !== undefined;
    return isUnknown
      ? fail(strings.refused(kind, script, reason))
      : fail(failureStrings.unreachable(kind, script), true);
  }
  if (response.type === 'opaqueredirect') return fail(strings.redirected(kind, script));
  const { status, headers } = response;
  const type = headers.get('content-type')?.split(';', 1)[0] || 'no content type';
  if (!response.ok) return fail(strings.answered(kind, script, status, type), status >= 500);
  if (!/(java|ecma)script$/i.test(type)) return fail(strings.notAScript(kind, script, type));
  return fail(strings.refused(kind, script, reason), reason === '');
}
