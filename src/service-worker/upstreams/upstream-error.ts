import type { Upstream } from '../../shared/upstreams/upstream.ts';
import { withSilenceTimeout } from './upstream-request.ts';

type UpstreamError = Readonly<Record<'message' | 'type' | 'param' | 'code', unknown>>;

/** Whether a response has no answer: its status is an error, or a status without a body, such as 204 and 304. */
export function isRefusal({ ok, body }: Response): boolean {
  return !ok || body === null;
}

/** Converts an upstream's error response to the API's error object, with the upstream's own message. */
export async function readUpstreamError(response: Response, upstream: Upstream): Promise<UpstreamError> {
  const { status } = response;
  const text = await withSilenceTimeout(upstream, response.text()).catch(() => '');
  const found = findError(text);
  if (isObject(found) && typeof found['message'] === 'string') {
    const { message, type = null, param = null, code = null } = found;
    return { ...found, message, type, param, code };
  }
  const excerpt = (typeof found === 'string' ? found : text).slice(0, 500);
  return {
    message: `${upstream.name} answers ${status}${excerpt && `: ${excerpt}`}`,
    type: status === 429 ? 'requests' : status >= 500 ? 'server_error' : 'invalid_request_error',
    param: null,
    code: status === 401 ? 'invalid_api_key' : status === 429 ? 'rate_limit_exceeded' : 'upstream_failed',
  };
}

/** Returns the error object or message in a body; servers differ in where they put it. */
function findError(text: string): unknown {
  try {
    const body: unknown = JSON.parse(text);
    return isObject(body) ? (body['error'] ?? body['detail'] ?? body['message']) : body;
  } catch {
    return text;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
