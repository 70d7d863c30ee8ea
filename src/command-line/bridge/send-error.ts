import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { errorBody, type ApiError } from '../../shared/api-error.ts';
import { CORS_HEADERS } from '../../shared/http/cors-headers.ts';
import { retryHeaders } from '../../shared/http/retry-after.ts';

/** A request with its response. */
export interface HttpExchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/** Sends an error of the bridge in the format of the endpoint's errors. */
export function sendError(
  { request, response }: HttpExchange,
  error: ApiError,
  headers: Readonly<Record<string, string>> = {},
): void {
  request.resume();
  response.writeHead(error.status, {
    'content-type': 'application/json',
    'cache-control': 'no-store',
    'x-request-id': `req_${randomUUID().replaceAll('-', '')}`,
    // Without CORS headers a forbidden page cannot read the error either.
    ...(error.code === 'forbidden_request' ? {} : CORS_HEADERS),
    ...retryHeaders(error),
    ...headers,
  });
  response.end(JSON.stringify(errorBody(error)));
}
