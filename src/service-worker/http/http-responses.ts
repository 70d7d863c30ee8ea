import { ApiError, errorBody } from '../../shared/api-error.ts';
import { CORS_HEADERS } from '../../shared/http/cors-headers.ts';
import { retryHeaders } from '../../shared/http/retry-after.ts';
import { ENGINE_HEADER } from '../../shared/upstreams/upstream.ts';

/**
 * Converts any thrown value to an error that may be sent to the client. The message and stack of an unexpected error go
 * to the console only, because they may contain parts of a prompt.
 */
export function toApiError(thrown: unknown): ApiError {
  if (!(thrown instanceof ApiError)) console.error(thrown);
  return ApiError.from(thrown);
}

export function jsonResponse(value: object, status = 200, headers: Readonly<Record<string, string>> = {}): Response {
  return new Response(JSON.stringify(value), { status, headers: { 'content-type': 'application/json', ...headers } });
}

/** @param body Default: the error object of the OpenAI API. */
export function errorResponse(
  error: ApiError,
  headers: Readonly<Record<string, string>> = {},
  body: object = errorBody(error),
): Response {
  return jsonResponse(body, error.status, {
    ...(error.status === 401 && { 'www-authenticate': 'Bearer' }),
    ...retryHeaders(error),
    ...headers,
  });
}

/** The response to OPTIONS. It needs no key: CORS preflights cannot send one. */
export function optionsResponse(allow: string): Response {
  return new Response(null, {
    status: 204,
    headers: {
      allow,
      'access-control-allow-methods': allow,
      // The asterisk covers every header except `authorization` (Fetch standard, CORS-preflight fetch).
      'access-control-allow-headers': '*, authorization',
      'access-control-max-age': '86400',
    },
  });
}

/** Adds the headers that every response has, and removes the body for HEAD. */
export function finishResponse(response: Response, request: Request, requestId: string): Response {
  const headers = new Headers({
    'cache-control': 'no-store',
    ...CORS_HEADERS,
    [ENGINE_HEADER]: 'local',
    'x-request-id': requestId,
    // The same id for clients of the Messages API, which read it from this header.
    'request-id': requestId,
  });
  response.headers.forEach((value, name) => headers.set(name, value));
  if (request.method !== 'HEAD') return new Response(response.body, { status: response.status, headers });
  // HEAD drops the body. Without cancel() the completion would run to its end without a reader.
  response.body?.cancel().catch(() => undefined);
  return new Response(null, { status: response.status, headers });
}
