import { ApiError } from '../shared/api-error.ts';
import { failureStrings } from './strings/failures.ts';

/**
 * Finds out why the browser did not take a service worker script. It says little about that itself, so the script is
 * fetched once more.
 * @param script Its address.
 * @param thrown What the browser threw.
 */
export async function explainRefusal(script: string, thrown: unknown): Promise<ApiError> {
  // A redirect is not followed, because browsers do not follow it either.
  const response = await fetch(script, { cache: 'no-store', redirect: 'manual' }).catch(() => null);
  response?.body?.cancel().catch(() => {});
  return new ApiError('engine_unavailable', sentence(script, response, thrown), { cause: thrown });
}

function sentence(script: string, response: Response | null, thrown: unknown): string {
  const { unreachable, redirected, answered, notAScript, refused } = failureStrings;
  if (response === null) return unreachable(script);
  if (response.type === 'opaqueredirect') return redirected(script);
  if (!response.ok) return answered(script, response.status);
  const type = response.headers.get('content-type')?.split(';', 1)[0] || 'no type of content';
  if (!/(java|ecma)script$/i.test(type)) return notAScript(script, type);
  return refused(script, thrown instanceof Error ? thrown.message : String(thrown));
}
