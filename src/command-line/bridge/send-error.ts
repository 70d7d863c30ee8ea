import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { errorBody, type ApiError } from '../../shared/api-error.ts';
import { CORS_HEADERS } from '../../shared/http/cors-headers.ts';
import { messagesErrorBody, speaksMessages } from '../../shared/http/messages-api-errors.ts';
import { retryHeaders } from '../../shared/http/retry-after.ts';
import { parseRequestTarget } from './request-target.ts';

/** A request with its response. */
export interface HttpExchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/** Sends an error of the bridge in the form of the endpoint's errors, which depends on the API that the request uses. */
export function sendError(
  { request, response }: HttpExchange,
  error: ApiError,
  headers: Readonly<Record<string, string>> = {},
): void {
  request.resume();
  const requestId = `req_${randomUUID().replaceAll('-', '')}`;
  const [path = ''] = parseRequestTarget(request.url ?? '/').path.split('?', 1);
  const isMessages = speaksMessages({ has: (name) => Object.hasOwn(request.headers, name) }, path, '/v1');
  response.writeHead(error.status, {
    'content-type': 'application/json',
    'cache-control': 'no-store',
    'x-request-id': requestId,
    // Without CORS headers a forbidden page cannot read the error either.
    ...(error.code === 'forbidden_request' ? {} : CORS_HEADERS),
    ...retryHeaders(error),
    ...headers,
  });
  response.end(JSON.stringify(isMessages ? messagesErrorBody(error, requestId) : errorBody(error)));
}
