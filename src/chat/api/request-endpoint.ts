import { API_ERROR_CODES, ApiError, type ApiErrorCode } from '../../shared/api-error.ts';
import { unlessFrozen } from '../../shared/http/unless-frozen.ts';
import { LOG_HEADER } from '../../shared/storage/request-record.ts';
import { ENGINE_HEADER, ROUTE_HEADER, type UpstreamRoute } from '../../shared/upstreams/upstream.ts';
import { endpointStrings } from '../strings/app-strings.ts';

/** The API key that every installation accepts from pages of its own origin. */
export const LOCAL_KEY = 'local';

/**
 * Returns the address of a route of the endpoint. It is relative to the origin's root, because this page may be in any
 * folder.
 */
export function endpointAddress(path: string): string {
  return `/v1/${path}`;
}

interface EndpointOptions {
  /** Replaces the global `fetch`. */
  readonly ask?: typeof fetch;
  readonly headers?: Readonly<Record<string, string>>;
  /** Adds the request to the request log. Default: false, because the page's own requests would fill it. */
  readonly logged?: boolean;
  /**
   * Whether an upstream that the person has allowed may answer. Default: false, because the person sees only of their
   * questions where these go.
   */
  readonly mayLeave?: boolean;
  /** Default: `POST` with a body, otherwise `GET`. */
  readonly method?: 'GET' | 'DELETE';
}

/**
 * Sends a request with {@link LOCAL_KEY}: a `POST` with `body` as a form or as JSON, or a `GET` without a body.
 * @returns A response with an OK status, whose body has arrived unless it is a completion.
 * @throws ApiError the endpoint's error; `engine_unavailable` if there is no response.
 * @throws the signal's reason if it aborts before the response headers arrive.
 */
export async function requestEndpoint(
  path: string,
  signal: AbortSignal,
  body?: object,
  { ask = fetch, headers = {}, logged = false, mayLeave = false, method = 'GET' }: EndpointOptions = {},
): Promise<Response> {
  const isForm = body instanceof FormData;
  const send = () =>
    ask(endpointAddress(path), {
      method: body ? 'POST' : method,
      headers: {
        authorization: `Bearer ${LOCAL_KEY}`,
        // The browser adds the content type of a form, with the boundary of its parts.
        ...(!isForm && { 'content-type': 'application/json' }),
        ...(!logged && { [LOG_HEADER]: 'none' }),
        ...(!mayLeave && { [ROUTE_HEADER]: 'local' satisfies UpstreamRoute }),
        ...headers,
      },
      body: isForm ? body : JSON.stringify(body),
      signal,
    });
  // `tabserve.fetch` resumes completions.
  const sendWhole = path === 'chat/completions' ? send : () => unlessFrozen(send(), document);
  // A second upload would be a second file, a second creation another collection.
  const isOnce = /^(chat\/completions|files|vector_stores)$/.test(path);
  const response = await sendWhole()
    .catch(isOnce ? null : sendWhole)
    .catch((error: unknown) => {
      signal.throwIfAborted();
      throw new ApiError('engine_unavailable', endpointStrings.noAnswer, { cause: error });
    });
  if (!response.ok) throw await errorFromResponse(response);
  return response;
}

/**
 * Creates the error for a failed response. A response without the API's error envelope comes from the web server: no
 * service worker handled the request.
 */
async function errorFromResponse(response: Response): Promise<ApiError> {
  const body: unknown = await response.json().catch(() => null);
  if (typeof body !== 'object' || body === null || !('error' in body))
    return new ApiError('engine_unavailable', endpointStrings.notRunning(response.status));
  const { code, message, param } = body.error as { code: unknown; message: string; param: string | null };
  const isUpstream = response.headers.get(ENGINE_HEADER)?.startsWith('upstream:') === true;
  // The codes of an upstream are its own: `model_not_found`, for one, says nothing about this device. Its status tells that
  // it got too many requests.
  const unknown = !isUpstream ? 'internal_error' : response.status === 429 ? 'rate_limit_exceeded' : 'upstream_failed';
  const holds = !isUpstream || code === 'context_length_exceeded';
  return new ApiError(holds && isCode(code) ? code : unknown, message, { param });
}

function isCode(code: unknown): code is ApiErrorCode {
  return typeof code === 'string' && Object.hasOwn(API_ERROR_CODES, code);
}
