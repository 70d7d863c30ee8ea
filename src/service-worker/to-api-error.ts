import { ApiError } from '../shared/api-error.ts';

/**
 * What a client may hear of something thrown. A defect's own text and stack go to the console only: they
 * may hold parts of a prompt.
 */
export function toApiError(thrown: unknown): ApiError {
  if (!(thrown instanceof ApiError)) console.error(thrown);
  return ApiError.from(thrown);
}
