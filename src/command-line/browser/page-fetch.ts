import { withAbort } from '../../shared/timeout.ts';

export type HeaderList = readonly (readonly [name: string, value: string])[];

export interface PageRequest {
  /** Path and query, relative to the page's origin. */
  readonly path: string;
  readonly method?: string;
  readonly headers?: HeaderList;
  readonly body?: Uint8Array | null;
  readonly signal?: AbortSignal;
}

/**
 * Calls a page's `fetch` from Node, so that its service worker responds. The body is streamed with backpressure;
 * cancelling or aborting cancels the request in the page. If the page cannot fetch or is closed, the promise rejects,
 * or the body fails.
 */
export type PageFetch = (request: PageRequest) => Promise<Response>;

/** A page that evaluates functions; these may use only the page's globals. */
interface ScriptablePage {
  evaluate(call: (argument: RelayedRequest) => Promise<RelayedHead>, argument: RelayedRequest): Promise<RelayedHead>;
  evaluate(call: (id: number) => Promise<string | null>, id: number): Promise<string | null>;
  evaluate(call: (id: number) => void, id: number): Promise<void>;
}

/**
 * A request as JSON for the page. `body` is in base64: as text, each byte that JSON escapes would take seven characters, and
 * Chromium ends when a message has more than 100 MiB.
 */
interface RelayedRequest {
  readonly id: number;
  readonly path: string;
  readonly method: string;
  readonly headers: HeaderList;
  readonly body: string | null;
}

interface RelayedHead {
  readonly status: number;
  readonly statusText: string;
  readonly headers: HeaderList;
}

/** State in the page of a request whose response has not been read completely. */
interface RelayedAnswer {
  readonly controller: AbortController;
  reader?: ReadableStreamDefaultReader<Uint8Array> | undefined;
}

/** Globals of the page that the relay uses. */
interface RelayGlobals {
  tabserveAnswers?: Map<number, RelayedAnswer>;
}

/** Statuses for which the `Response` constructor rejects any body. */
const STATUSES_WITHOUT_BODY = new Set([101, 103, 204, 205, 304]);

/** Creates a function that sends requests through the page. Call this once per page. */
export function createPageFetch(page: ScriptablePage): PageFetch {
  let lastId = 0;

  return async ({ path, method = 'GET', headers = [], body = null, signal = new AbortController().signal }) => {
    signal.throwIfAborted();
    const id = ++lastId;
    // If this fails, the page is closed, and there is nothing to abort.
    const stop = () => void page.evaluate(abortInPage, id).catch(() => {});
    signal.addEventListener('abort', stop);
    const finish = () => signal.removeEventListener('abort', stop);
    const request: RelayedRequest = {
      id,
      path,
      method,
      headers,
      body: body && Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('base64'),
    };
    try {
      const head = await withAbort(page.evaluate(fetchInPage, request), signal);
      const pieces = new ReadableStream<Uint8Array>({
        async pull(stream) {
          try {
            const piece = await withAbort(page.evaluate(readInPage, id), signal);
            if (piece !== null) return stream.enqueue(Buffer.from(piece, 'latin1'));
            stream.close();
          } catch (error) {
            stop();
            stream.error(error);
          }
          finish();
        },
        cancel() {
          finish();
          stop();
        },
      });
      return new Response(STATUSES_WITHOUT_BODY.has(head.status) ? null : pieces, {
        status: head.status,
        statusText: head.statusText,
        headers: head.headers.map(([name, value]): [string, string] => [name, value]),
      });
    } catch (error) {
      finish();
      throw error;
    }
  };
}

/**
 * Sends a request and returns its response without the body. Runs in the page, so it may use only the page's globals.
 */
async function fetchInPage({ id, path, method, headers, body }: RelayedRequest): Promise<RelayedHead> {
  const page = globalThis as unknown as RelayGlobals;
  page.tabserveAnswers ??= new Map();
  const answer: RelayedAnswer = { controller: new AbortController() };
  page.tabserveAnswers.set(id, answer);
  let bodyBytes: Uint8Array<ArrayBuffer> | null = null;
  if (body !== null) {
    const text = atob(body);
    bodyBytes = new Uint8Array(text.length);
    for (let index = 0; index < text.length; index++) bodyBytes[index] = text.charCodeAt(index);
  }
  try {
    const response = await fetch(path, {
      method,
      headers: headers.map(([name, value]): [string, string] => [name, value]),
      body: bodyBytes,
      signal: answer.controller.signal,
    });
    answer.reader = response.body?.getReader();
    const { status, statusText } = response;
    return { status, statusText, headers: [...response.headers] };
  } catch (error) {
    page.tabserveAnswers.delete(id);
    throw error;
  }
}

/** Reads the next bytes of a response body, each as one character; null at the end. Runs in the page. */
async function readInPage(id: number): Promise<string | null> {
  const answers = (globalThis as unknown as RelayGlobals).tabserveAnswers;
  const answer = answers?.get(id);
  // Without an error, the body would seem to end here.
  if (!answer) throw new Error('The page was loaded again before the answer was complete.');
  const piece = await answer.reader?.read();
  if (!piece?.value) {
    answers?.delete(id);
    return null;
  }
  let bytes = '';
  // Converts the bytes in slices, because a function call accepts only a limited number of arguments.
  for (let start = 0; start < piece.value.length; start += 8192) {
    bytes += String.fromCharCode(...piece.value.subarray(start, start + 8192));
  }
  return bytes;
}

/** Aborts a request. Runs in the page. */
function abortInPage(id: number): void {
  const answers = (globalThis as unknown as RelayGlobals).tabserveAnswers;
  answers?.get(id)?.controller.abort();
  answers?.delete(id);
}
