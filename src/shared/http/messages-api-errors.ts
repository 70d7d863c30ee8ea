import type { ApiError } from '../api-error.ts';

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

/** The details by which the tool runners of Anthropic's clients learn to send whole conversations, without threads. */
const THREAD_DETAILS = { error_code: 'thread_unsupported_request', unsupported: ['thread'] } as const;

/** The error object of the Messages API: the body of a response, or the data of a stream's `error` event. */
export function messagesErrorBody(error: ApiError, requestId: string): object {
  const { status, code, param } = error;
  const type = ERROR_TYPES[status] ?? (status < 500 ? 'invalid_request_error' : 'api_error');
  const isThread = code === 'unsupported_parameter' && param === 'thread';
  return {
    type: 'error',
    error: { type, message: messagesSentence(error), ...(isThread && { details: THREAD_DETAILS }) },
    request_id: requestId,
  };
}

/**
 * The sentence of an error in the words of the Messages API. Clients such as Claude Code shorten the conversation only if
 * they read these words.
 */
function messagesSentence({ message, overflow }: ApiError): string {
  if (overflow === undefined) return message;
  return `prompt is too long: ${overflow.tokens} tokens > ${overflow.maximum} maximum`;
}

/**
 * Whether a client expects the Messages API: it uses a path of that API, or it sends the version header of that API.
 * @param path Path of the request, without its query.
 */
export function speaksMessages(headers: Pick<Headers, 'has'>, path: string, basePath: string): boolean {
  return headers.has('anthropic-version') || `${path}/`.startsWith(`${basePath}/messages/`);
}
