import { API_ERROR_CODES, ApiError, type ApiErrorCode } from '../../shared/api-error.ts';

/**
 * The error of a response that is not OK. Without the API's envelope the service worker did not answer it:
 * the server of the site did, which knows nothing of models.
 */
export async function errorFromResponse(response: Response): Promise<ApiError> {
  const body: unknown = await response.json().catch(() => null);
  if (typeof body === 'object' && body !== null && 'error' in body) {
    const { code, message, param } = body.error as { code: string; message: string; param: string | null };
    if (code in API_ERROR_CODES) return new ApiError(code as ApiErrorCode, message, { param });
    return new ApiError('internal_error', message, { param });
  }
  return new ApiError(
    'engine_unavailable',
    `The endpoint is not running in this page yet (status ${response.status}).`,
  );
}
