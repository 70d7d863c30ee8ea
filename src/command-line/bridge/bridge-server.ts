import { createServer, type Server } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import { ApiError } from '../../shared/api-error.ts';
import { engineUnavailable } from '../../shared/engine/engine-errors.ts';
import { findCallerProblem, type BridgeCallers } from './bridge-callers.ts';
import type { PageFetch } from '../browser/page-fetch.ts';
import { endToEndHeaders } from './end-to-end-headers.ts';
import { RequestBodies } from './request-bodies.ts';
import { parseRequestTarget } from './request-target.ts';
import { withErrorEvent } from './with-error-event.ts';
import { withErrorStatus } from './with-error-status.ts';
import { withLocalServerNames } from './with-local-server-names.ts';
import { sendError, type HttpExchange } from './send-error.ts';

/**
 * A page's `fetch` rejects these methods. Instead the bridge sends OPTIONS to learn which methods the address allows,
 * and responds with 405, which must name them.
 */
const METHODS_FETCH_REFUSES = new Set(['CONNECT', 'TRACE', 'TRACK']);

/** Limit of reported problems, because pages can cause any number of them. */
const MAX_REPORTS = 20;

/**
 * Milliseconds for which a connection without a request stays open. Clients that keep connections longer than the server
 * send a request into one that is just being closed, and may not repeat a POST. Many keep them for up to a minute.
 */
const IDLE_CONNECTION = 75_000;

const STARTS_WITH_V1 = /^\/v1(?:[/?]|$)/;

export interface BridgeOptions {
  readonly fetch: PageFetch;
  readonly callers: BridgeCallers;
  /** Called with a sentence for the person who runs the bridge. */
  readonly report: (sentence: string) => void;
}

/**
 * Relays HTTP requests to the endpoint by a page's `fetch`. End-to-end headers, streamed body and status stay the same,
 * except where {@link withErrorStatus} changes the status, {@link withErrorEvent} ends a stream that broke off, and
 * {@link withLocalServerNames} repeats a refused request. If a client disconnects, the request in the page is cancelled.
 */
export function createBridgeServer({ fetch: pageFetch, callers, report }: BridgeOptions): Server {
  const fetch = withLocalServerNames(withErrorEvent(withErrorStatus(pageFetch)));
  const bodies = new RequestBodies();
  const reported = new Set<string>();

  /**
   * Reports a problem on the terminal, each one only once. The terminal must show it, because browsers hide the
   * response from the page.
   */
  function reportOnce(problem: string): void {
    if (reported.has(problem) || reported.size >= MAX_REPORTS) return;
    reported.add(problem);
    report(problem);
  }

  return createServer({ keepAliveTimeout: IDLE_CONNECTION }, (request, response) => {
    const { authority, path } = parseRequestTarget(request.url ?? '/');
    const problem = findCallerProblem(request, authority, callers);
    const exchange = { request, response };
    // No page can embed a response, which would need no permission of the bridge. Responses to `fetch` are not affected.
    response.setHeader('cross-origin-resource-policy', 'same-origin');
    if (problem !== null) {
      reportOnce(problem);
      return sendError(exchange, new ApiError('forbidden_request', problem));
    }
    relay(fetch, bodies, exchange, addressOf(path)).catch((error: unknown) => {
      if (response.headersSent) response.destroy();
      else sendError(exchange, error instanceof ApiError ? error : browserFailed(error));
    });
  });
}

function browserFailed(error: unknown): ApiError {
  return engineUnavailable(`The browser could not answer: ${String(error)}`);
}

async function relay(fetch: PageFetch, bodies: RequestBodies, exchange: HttpExchange, path: string): Promise<void> {
  const { request, response } = exchange;
  if (!isBelowV1(path)) {
    const sentence = 'The endpoint is below /v1, such as /v1/chat/completions.';
    return sendError(exchange, new ApiError('unknown_url', sentence));
  }

  const method = request.method ?? 'GET';
  const sendable = !METHODS_FETCH_REFUSES.has(method);
  const left = new AbortController();
  response.once('close', () => left.abort(new Error('The client has left.')));
  let answer: Response;
  try {
    const headers = endToEndHeaders(headerPairs(request.rawHeaders)).filter(
      // The body is forwarded decompressed, so this header is dropped.
      ([name]) => name.toLowerCase() !== 'content-encoding',
    );
    const ask = (body: Uint8Array | null) =>
      fetch({ path, method: sendable ? method : 'OPTIONS', headers, body, signal: left.signal });
    const hasBody = sendable && method !== 'GET' && method !== 'HEAD';
    answer = await (hasBody ? bodies.use(request, ask) : ask(null));
  } catch (error) {
    if (left.signal.aborted) return;
    throw error;
  }
  if (!sendable && answer.ok) {
    const allow = answer.headers.get('allow') ?? '';
    const message = `This address serves ${allow}, but not ${JSON.stringify(method)}.`;
    return sendError(exchange, new ApiError('method_not_supported', message), { allow });
  }
  response.writeHead(answer.status, answer.statusText, endToEndHeaders([...answer.headers]).flat());
  // Sends the headers immediately, because the first chunk of a stream may take a minute.
  response.flushHeaders();
  if (!answer.body) return void response.end();
  try {
    await pipeline(Readable.fromWeb(answer.body as ReadableStream), response);
  } catch (error) {
    // The client disconnected or the page crashed. `pipeline` has closed the connection, which tells the client that
    // the stream is incomplete.
    if (!left.signal.aborted) throw error;
  }
}

/**
 * Local servers such as llama-server also answer without `/v1`, and clients ask there for `/health` and `/props`. What
 * the endpoint lacks, such as `/api/chat`, it refuses with the name of the route to use.
 */
function addressOf(path: string): string {
  return /^\/\w[\w/.-]*(?:\?|$)/.test(path) && !STARTS_WITH_V1.test(path) ? `/v1${path}` : path;
}

/**
 * Whether the page's `fetch` would request something below `/v1`. Checked after resolving the path as `fetch` does:
 * with `..`, `%2e%2e` or backslashes a path could lead to a file of the site.
 */
function isBelowV1(path: string): boolean {
  const base = 'http://localhost';
  return STARTS_WITH_V1.test(path) && URL.canParse(path, base) && STARTS_WITH_V1.test(new URL(path, base).pathname);
}

/** Pairs header names with their values. Node lists names and values alternately, including repeated headers. */
function headerPairs(rawHeaders: readonly string[]): [name: string, value: string][] {
  return rawHeaders.flatMap((text, index) =>
    index % 2 ? [[rawHeaders[index - 1] ?? '', text] as [string, string]] : [],
  );
}
