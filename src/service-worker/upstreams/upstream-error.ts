import type { Upstream } from '../../shared/upstreams/upstream.ts';
import { inTime } from './upstream-request.ts';

/** Fields of an error that the upstream gave, with those that every error has here. */
type UpstreamError = Readonly<Record<'message' | 'type' | 'param' | 'code', unknown>>;

/** What a refusal of an upstream says: its own words, in the form that all errors have here. */
export async function upstreamFailure(response: Response, upstream: Upstream): Promise<UpstreamError> {
  const { status } = response;
  const text = await inTime(upstream, response.text()).catch(() => '');
  const said = saidIn(text);
  if (isObject(said) && typeof said['message'] === 'string') {
    const { message, type = null, param = null, code = null } = said;
    return { ...said, message, type, param, code };
  }
  const words = (typeof said === 'string' ? said : text).slice(0, 500);
  return {
    message: `${upstream.name} answers ${status}${words && `: ${words}`}`,
    type: status === 429 ? 'requests' : status >= 500 ? 'server_error' : 'invalid_request_error',
    param: null,
    code: status === 401 ? 'invalid_api_key' : status === 429 ? 'rate_limit_exceeded' : 'upstream_failed',
  };
}

/** An error object or a sentence; the servers differ in where they put it. */
function saidIn(text: string): unknown {
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
