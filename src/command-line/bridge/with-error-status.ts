import { API_ERROR_CODES } from '../../shared/api-error.ts';
import { withTimeout } from '../../shared/timeout.ts';
import type { PageFetch, PageRequest } from '../browser/page-fetch.ts';

/** Milliseconds for which the headers of a JSON response wait for its document, if the client states no timeout. */
const DEFAULT_PATIENCE = 8_000;

/** Limit in milliseconds for clients that state a timeout. Node's `fetch` waits 300 s for headers. */
const MAX_PATIENCE = 240_000;

/** Statuses by the type of an error of the Messages API, for failures that occur after the headers. */
const MESSAGES_STATUSES: Readonly<Record<string, number>> = {
  rate_limit_error: 429,
  overloaded_error: 503,
  timeout_error: 504,
};

/**
 * Number of characters, after leading white space, by which an error object is recognised. White space is sent while
 * the model works.
 */
const TELLING_LENGTH = 16;

/** Matches the beginning of an error object of the OpenAI API or the Messages API. */
const ERROR_START = /^\s*\{"(?:error"|type":"error")/;

/**
 * Wraps a page's `fetch` so that a JSON response that fails gets the status of its error. In the page the headers must
 * be sent early, because only then can the service worker learn that its client aborts the request; a later failure is
 * an error object in a response with the status 200. The bridge sees a client disconnect, so it holds the headers back
 * until the document begins, for as long as the client waits.
 */
export function withErrorStatus(fetch: PageFetch): PageFetch {
  return async (request) => {
    const response = await fetch(request);
    const isJson = response.headers.get('content-type')?.startsWith('application/json') ?? false;
    return isJson && response.status === 200 && response.body ? whenBegun(response, patienceOf(request)) : response;
  };
}

/** 90 % of the timeout that the clients of OpenAI and Anthropic state. Other clients may wait only ten seconds. */
function patienceOf({ headers = [] }: PageRequest): number {
  const told = headers.find(([name]) => name.toLowerCase() === 'x-stainless-timeout')?.[1];
  const seconds = Number(told);
  return seconds > 0 ? Math.min(MAX_PATIENCE, seconds * 900) : DEFAULT_PATIENCE;
}

async function whenBegun(response: Response, patience: number): Promise<Response> {
  const reader = response.body!.getReader();
  const deadline = performance.now() + patience;
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
    if (text.trimStart().length >= TELLING_LENGTH && !ERROR_START.test(text)) break;
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
  return new Response(body, { status: errorStatus(text), headers: response.headers });
}

/** The status for a document; 200 unless it is an error object. */
function errorStatus(text: string): number {
  if (!ERROR_START.test(text)) return 200;
  try {
    const { error } = JSON.parse(text) as { readonly error: { readonly code?: string; readonly type: string } };
    const code = error.code as keyof typeof API_ERROR_CODES | undefined;
    if (code === undefined) return MESSAGES_STATUSES[error.type] ?? 500;
    return API_ERROR_CODES[code]?.[0] ?? 500;
  } catch {
    // The deadline passed before the whole error object had arrived.
    return 200;
  }
}
