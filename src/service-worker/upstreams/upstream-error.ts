import { fieldsOf, jsonOf, recordOf } from '../../shared/json-values.ts';
import { errorWords } from '../../shared/upstreams/error-words.ts';
import type { Upstream } from '../../shared/upstreams/upstream.ts';
import { withSilenceTimeout } from './upstream-request.ts';
import { MAX_LENGTH, upstreamTexts } from './upstream-texts.ts';

/** Most characters of an upstream's message, and of the page in which it is looked for. */
const MAX_WORDS = 500;
const MAX_PAGE = 20_000;

type UpstreamError = Readonly<Record<'message' | 'type' | 'param' | 'code', unknown>>;

/** Whether a response has no answer: its status is an error, or a status without a body, such as 204 and 304. */
export function isRefusal({ ok, body }: Response): boolean {
  return !ok || body === null;
}

/** Converts an upstream's error response to the API's error object, with the upstream's own message. */
export async function readUpstreamError(response: Response, upstream: Upstream): Promise<UpstreamError> {
  const { status } = response;
  let text = '';
  const read = async () => {
    for await (const piece of upstreamTexts(response, upstream)) if ((text += piece).length > MAX_LENGTH) break;
  };
  // The words that came before a failure are told.
  await withSilenceTimeout(upstream, read()).catch(() => {});
  const body = jsonOf(text);
  const { error } = recordOf(body);
  const found = fieldsOf(error);
  if (typeof found?.['message'] === 'string') {
    const { message, type = null, param = null, code = null } = found;
    return { ...found, message, type, param, code };
  }
  const words = body === undefined ? withoutMarkup(text) : errorWords(body);
  return {
    message: `${upstream.name} answers ${status}${words && `: ${words.slice(0, MAX_WORDS)}`}`,
    type: status === 429 ? 'requests' : status >= 500 ? 'server_error' : 'invalid_request_error',
    param: null,
    code: status === 401 ? 'invalid_api_key' : status === 429 ? 'rate_limit_exceeded' : 'upstream_failed',
  };
}

/** Returns the words of a web page, as proxies send them, or a text without markup unchanged. */
function withoutMarkup(text: string): string {
  if (!/^\s*</.test(text)) return text.trim();
  return text
    .slice(0, MAX_PAGE)
    .replace(/<(head|script|style)\b[^]*?<\/\1>|<[^<>]*>/gi, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}
