import { API_ERROR_CODES, ApiError, type ApiErrorCode } from '../../shared/api-error.ts';
import { LOG_HEADER } from '../../shared/storage/request-record.ts';
import { endpointStrings } from '../strings/app.ts';

/** The key that every installation accepts from its own pages. */
export const LOCAL_KEY = 'local';

/** Address of a route: the endpoint is at the same path of the origin, whatever folder this page lies in. */
export function endpointAddress(path: string): string {
  return `/v1/${path}`;
}

interface EndpointOptions {
  /** Asks in place of the global `fetch`. */
  readonly ask?: typeof fetch;
  readonly headers?: Readonly<Record<string, string>>;
  /** Whether the request log may have it. Default: no, as the page's own questions would fill it. */
  readonly logged?: boolean;
}

/**
 * Asks the endpoint with this page's own key: `GET`, or `POST` where there is a body, which goes as JSON.
 *
 * @returns A response that is OK.
 * @throws ApiError what the endpoint answered; `engine_unavailable` where it did not.
 * @throws the signal's reason once it aborts.
 */
export async function requestEndpoint(
  path: string,
  signal: AbortSignal,
  body?: object,
  { ask = fetch, headers = {}, logged = false }: EndpointOptions = {},
): Promise<Response> {
  const common = { authorization: `Bearer ${LOCAL_KEY}`, ...(logged ? {} : { [LOG_HEADER]: 'none' }), ...headers };
  const response = await ask(endpointAddress(path), {
    ...(body === undefined
      ? { headers: common }
      : {
          method: 'POST',
          headers: { 'content-type': 'application/json', ...common },
          body: JSON.stringify(body),
        }),
    signal,
  }).catch((error: unknown) => {
    signal.throwIfAborted();
    throw new ApiError('engine_unavailable', endpointStrings.noAnswer, { cause: error });
  });
  if (!response.ok) throw await errorFromResponse(response);
  return response;
}

/** Without the API's envelope the service worker did not answer: the site's server did, which knows nothing of models. */
async function errorFromResponse(response: Response): Promise<ApiError> {
  const body: unknown = await response.json().catch(() => null);
  if (typeof body === 'object' && body !== null && 'error' in body) {
    const { code, message, param } = body.error as { code: string; message: string; param: string | null };
    return new ApiError(code in API_ERROR_CODES ? (code as ApiErrorCode) : 'internal_error', message, { param });
  }
  return new ApiError('engine_unavailable', endpointStrings.notRunning(response.status));
}
