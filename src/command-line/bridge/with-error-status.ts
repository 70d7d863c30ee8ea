import { EARLY_HEADERS_HEADER } from '../../shared/http/early-headers.ts';
import { beginsError, lateErrorStatus } from '../../shared/http/late-error-status.ts';
import { withTimeout } from '../../shared/timeout.ts';
import type { PageFetch, PageRequest } from '../browser/page-fetch.ts';

/**
 * Limit in milliseconds for which the headers of a JSON response wait for its document. Node's `fetch` waits 300 s for
 * headers.
 */
const MAX_PATIENCE = 240_000;

/** The limit for a request that came through a proxy. Many proxies wait 60 s for the first byte. */
const PROXY_PATIENCE = 50_000;

/** Headers by which proxies name themselves, or the client. */
const PROXY_HEADERS = ['via', 'forwarded', 'x-forwarded-for', 'x-real-ip'];

/**
 * Number of characters, after leading white space, by which an error object is recognised. White space is sent while
 * the model works.
 */
const TELLING_LENGTH = 16;

/**
 * Wraps a page's `fetch` so that a JSON response that fails gets the status of its error. In a page, the headers must be
 * sent before the document ends, because only then can the service worker learn that its client aborts the request; a
 * later failure is an error object in a response with the status 200. The bridge sees a client disconnect, so it asks
 * for the page's headers early, and holds them back until the document begins, for as long as the client waits. Then it
 * sends them, and the white space that the page sends while the model works keeps the connection open.
 */
export function withErrorStatus(fetch: PageFetch): PageFetch {
  return async (request) => {
    const deadline = performance.now() + patienceOf(request);
    const response = await fetch({ ...request, headers: [...(request.headers ?? []), [EARLY_HEADERS_HEADER, '1']] });
    const isJson = response.headers.get('content-type')?.startsWith('application/json') ?? false;
    return isJson && response.status === 200 && response.body ? whenBegun(response, deadline) : response;
  };
}

/** Headers in which clients say for how many seconds they wait: for the response, or for the next piece of it (in Python). */
const TIMEOUT_HEADERS = ['x-stainless-timeout', 'x-stainless-read-timeout'];

/** Returns the milliseconds for which a client waits for headers: 90 % of the timeout that it states, if it states one. */
function patienceOf({ headers = [] }: PageRequest): number {
  const names = new Map(headers.map(([name, value]) => [name.toLowerCase(), value]));
  const limit = PROXY_HEADERS.some((name) => names.has(name)) ? PROXY_PATIENCE : MAX_PATIENCE;
  const stated = TIMEOUT_HEADERS.map((name) => Number(names.get(name))).filter((seconds) => seconds > 0);
  return Math.min(limit, ...stated.map((seconds) => seconds * 900));
}

async function whenBegun(response: Response, deadline: number): Promise<Response> {
  const reader = response.body!.getReader();
  const decoder = new TextDecoder();
  const pieces: Uint8Array[] = [];
  let text = '';
  // A read that did not settle before the deadline. It is awaited later, because an unhandled rejection would end the
  // process.
  let next: ReturnType<typeof reader.read> | null = null;
  for (;;) {
    next ??= reader.read();
    const read = await withTimeout(Math.max(0, deadline - performance.now()), next, null);
    if (read === null || read.done) break;
    pieces.push(read.value);
    text += decoder.decode(read.value, { stream: true });
    next = null;
    // An error object is short, so all of it is awaited.
    if (text.trimStart().length >= TELLING_LENGTH && !beginsError(text)) break;
  }
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const piece = pieces.shift();
      if (piece) return controller.enqueue(piece);
      const { done, value } = await (next ?? reader.read());
      next = null;
      if (done) return controller.close();
      controller.enqueue(value);
    },
    cancel: (reason) => reader.cancel(reason),
  });
  return new Response(body, { status: lateErrorStatus(text), headers: response.headers });
}
