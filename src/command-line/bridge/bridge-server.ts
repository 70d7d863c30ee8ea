import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import { ApiError, type ApiErrorCode } from '../../shared/api-error.ts';
import { CORS_HEADERS } from '../../shared/http/cors-headers.ts';
import { findCallerProblem, type BridgeCallers } from './bridge-callers.ts';
import type { PageFetch } from '../browser/page-fetch.ts';
import { endToEndHeaders } from './end-to-end-headers.ts';
import { RequestBodies } from './request-bodies.ts';
import { parseRequestTarget } from './request-target.ts';

/** A page's `fetch` rejects these methods. The bridge sends OPTIONS instead, to learn what the address allows. */
const METHODS_FETCH_REFUSES = new Set(['CONNECT', 'TRACE', 'TRACK']);

/** Most problems that are reported, because pages can cause any number of them. */
const MOST_REPORTS = 20;

const STARTS_WITH_V1 = /^\/v1(?:[/?]|$)/;

export interface BridgeOptions {
  readonly fetch: PageFetch;
  readonly callers: BridgeCallers;
  /** Called with a sentence for the person who runs the bridge. */
  readonly report: (sentence: string) => void;
}

/**
 * Relays HTTP requests below `/v1` to a page's `fetch`: status, headers and streamed body unchanged. A client's
 * disconnect cancels the request in the page.
 */
export function createBridgeServer({ fetch, callers, report }: BridgeOptions): Server {
  const bodies = new RequestBodies();
  const reported = new Set<string>();

  /** Reports each problem once. Browsers hide the response from the page, so the terminal must show it. */
  function reportOnce(problem: string): void {
    if (reported.has(problem) || reported.size >= MOST_REPORTS) return;
    reported.add(problem);
    report(problem);
  }

  return createServer((request, response) => {
    const { authority, path } = parseRequestTarget(request.url ?? '/');
    const problem = findCallerProblem(request, authority, callers);
    if (problem !== null) {
      reportOnce(problem);
      return sendError(request, response, 'forbidden_request', problem);
    }
    relay(fetch, bodies, path, request, response).catch((error: unknown) => {
      if (response.headersSent) response.destroy();
      else if (error instanceof ApiError)
        sendError(request, response, error.code, error.message, { 'retry-after': String(error.retryAfter ?? 1) });
      else
        sendError(request, response, 'engine_unavailable', `The browser could not answer: ${String(error)}`, {
          'retry-after': '1',
        });
    });
  });
}

async function relay(
  fetch: PageFetch,
  bodies: RequestBodies,
  path: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (!isBelowV1(path)) {
    return sendError(request, response, 'unknown_url', 'The endpoint is below /v1, such as /v1/chat/completions.');
  }

  const method = request.method ?? 'GET';
  const sendable = !METHODS_FETCH_REFUSES.has(method);
  const left = new AbortController();
  response.once('close', () => left.abort(new Error('The client has left.')));
  let answer: Response;
  try {
    const headers = endToEndHeaders(headerPairs(request.rawHeaders)).filter(
      // The body is passed on decoded.
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
    return sendError(request, response, 'method_not_supported', message, { allow });
  }
  response.writeHead(answer.status, answer.statusText, endToEndHeaders([...answer.headers]).flat());
  // Send the headers at once: a stream's first chunk may take a minute.
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
 * Whether the page's `fetch` would request something below `/v1`. `fetch` resolves `..`, `%2e%2e` and backslashes
 * first, so such a path could lead to a file of the site.
 */
function isBelowV1(path: string): boolean {
  const base = 'http://localhost';
  return STARTS_WITH_V1.test(path) && URL.canParse(path, base) && STARTS_WITH_V1.test(new URL(path, base).pathname);
}

/** Pairs header names with their values. Node lists both alternately, including repeated headers. */
function headerPairs(rawHeaders: readonly string[]): [name: string, value: string][] {
  return rawHeaders.flatMap((text, index) =>
    index % 2 ? [[rawHeaders[index - 1] ?? '', text] as [string, string]] : [],
  );
}

/** Sends the bridge's own error in the endpoint's format. */
function sendError(
  request: IncomingMessage,
  response: ServerResponse,
  code: ApiErrorCode,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): void {
  const { status, type, param } = new ApiError(code, message);
  request.resume();
  response.writeHead(status, {
    'content-type': 'application/json',
    'cache-control': 'no-store',
    'x-request-id': `req_${randomUUID().replaceAll('-', '')}`,
    // A forbidden page must not read the error either.
    ...(code === 'forbidden_request' ? {} : CORS_HEADERS),
    ...headers,
  });
  response.end(JSON.stringify({ error: { message, type, param, code } }));
}
