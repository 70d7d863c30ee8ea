import type { ApiError } from '../../shared/api-error.ts';

/** Error types of the Messages API by HTTP status. Source: its page "Errors", 2026-11-25. */
const ERROR_TYPES: Readonly<Record<number, string>> = {
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  503: 'overloaded_error',
  504: 'timeout_error',
};

/** The error object of the Messages API: the body of a response, or the data of a stream's `error` event. */
export function messagesErrorBody({ status, message }: ApiError, requestId: string): object {
  const type = ERROR_TYPES[status] ?? (status < 500 ? 'invalid_request_error' : 'api_error');
  return { type: 'error', error: { type, message }, request_id: requestId };
}

/**
 * Whether a client expects the Messages API: it uses a path of that API, or it sends the version header of that API.
 */
export function speaksMessages({ headers }: Request, path: string, basePath: string): boolean {
  return headers.has('anthropic-version') || `${path}/`.startsWith(`${basePath}/messages/`);
}
