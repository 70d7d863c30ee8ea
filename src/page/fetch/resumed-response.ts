import { ApiError, errorBody, type ApiErrorData } from '../../shared/api-error.ts';
import { engineUnavailable } from '../../shared/engine/engine-errors.ts';
import { EventStreamParser } from '../../shared/http/event-stream-parser.ts';
import { STREAM_ID_HEADER } from '../../shared/http/resumable-stream.ts';
import { retryHeaders } from '../../shared/http/retry-after.ts';
import { sleep, withTimeoutAfterThaw } from '../../shared/timeout.ts';
import { trace } from '../../shared/trace/trace.ts';
import { ENGINE_HEADER } from '../../shared/upstreams/upstream.ts';

export interface ResumedResponseOptions {
  /** Name of this response in the trace. */
  readonly name: string;
  /**
   * Sends the request.
   * @param lastEvent Number of the last event that was received; null if none was.
   */
  readonly request: (lastEvent: string | null, signal: AbortSignal) => Promise<Response>;
  /** Number of the last event that the caller has; null if it has none. */
  readonly lastEvent: string | null;
  /** Whether the `id: …` lines (event numbers) stay in the body. */
  readonly keepsEventNumbers: boolean;
  /** Aborts when the caller cancels the request. */
  readonly signal: AbortSignal;
  /** Cancels the completion in the engine. Needed when no connection is open whose cancellation would end it. */
  readonly cancel: () => void;
}

/** Limit of failed attempts since the last event. An attempt fails if its connection breaks before it delivers an event. */
const MAX_ATTEMPTS = 6;

/**
 * Milliseconds. A connection that breaks later than this counts as {@link STABLE_FAILURE} only: Firefox stops a service
 * worker after 30 s without an event, and an answer in JSON, or one that waits in the queue, may take minutes.
 */
const STABLE_CONNECTION = 3000;

/**
 * How much a connection that breaks after {@link STABLE_CONNECTION} counts as a failed attempt. Usually the browser only
 * stopped the service worker. But an unresponsive network looks the same, and so does an engine that dies together with
 * the service worker, after which the answer is generated anew. So the number of these failures is limited too.
 */
const STABLE_FAILURE = 1 / 8;

/** Milliseconds before the second retry, doubled for each further one. The first retry is immediate. */
const RETRY_DELAY = 100;

/**
 * Limit in milliseconds of the wait that a refused connection asks for by `Retry-After`. All attempts together wait
 * longer than a newer service worker holds back answers (2 s), and less than the engine keeps an answer that nobody
 * reads (15 s).
 */
const MAX_REFUSAL_DELAY = 2000;

/**
 * Milliseconds without response headers or a byte after which a connection counts as broken. The service worker sends a
 * byte every ten seconds; the headers of a JSON response may take longer, and are then requested again. The timeout is
 * needed because browsers do not always report the service worker's death to the page: when the site's data are cleared,
 * Chromium may leave a request without a response for four minutes.
 */
const READ_TIMEOUT = 60_000;

/** A response whose body is read from several consecutive connections to the service worker. */
export class ResumedResponse {
  readonly #options: ResumedResponseOptions;
  readonly #bodyCancelled = new AbortController();
  readonly #signal: AbortSignal;
  #lastEvent: string | null;
  #failures = 0;
  #requestedAt = 0;
  #ended = false;
  /**
   * Reader of a connection that was abandoned while it was open. It is cancelled only after another connection is open:
   * the service worker ends a completion when its only body is cancelled.
   */
  #stale: ReadableStreamDefaultReader<Uint8Array> | null = null;

  constructor(options: ResumedResponseOptions) {
    this.#options = options;
    this.#lastEvent = options.lastEvent;
    this.#signal = AbortSignal.any([options.signal, this.#bodyCancelled.signal]);
    this.#signal.addEventListener('abort', () => {
      if (!this.#ended) options.cancel();
    });
  }

  /**
   * Sends the request and returns its response. If the connection breaks later, a new connection delivers the rest of
   * the body.
   * @throws the failure of the last attempt if all fail; the signal's reason if it aborts.
   */
  async open(): Promise<Response> {
    const response = await this.#request();
    const { ok, body, headers } = response;
    if (!ok || body === null || !headers.has(STREAM_ID_HEADER)) {
      this.#ended = true;
      return response;
    }
    const isStream = headers.get('content-type')?.startsWith('text/event-stream') ?? false;
    const texts = isStream ? this.#events(body) : this.#document(body);
    const encoder = new TextEncoder();
    const whole = new ReadableStream<Uint8Array<ArrayBuffer>>(
      {
        pull: async (controller) => {
          const { done, value } = await texts.next();
          if (done !== true) return controller.enqueue(encoder.encode(value));
          this.#ended = true;
          controller.close();
        },
        cancel: () => this.#bodyCancelled.abort(),
      },
      { highWaterMark: 0 },
    );
    return withBody(response, whole);
  }

  async *#events(first: ReadableStream<Uint8Array>): AsyncGenerator<string, undefined> {
    let body = first;
    for (let isAgain = false; ; isAgain = true) {
      const end = yield* this.#eventsOf(body, isAgain);
      if (end === true) return;
      const next = await this.#reconnect(end);
      if (next instanceof ApiError) {
        yield `${errorEvent(next)}\n\n`;
        return;
      }
      body = next;
    }
  }

  /**
   * Yields the events of one connection.
   * @param isAgain Whether it continues an earlier one.
   * @returns true if the response is complete; an error if the connection was refused, which its headers could not say.
   */
  async *#eventsOf(body: ReadableStream<Uint8Array>, isAgain: boolean): AsyncGenerator<string, true | ApiError | null> {
    const parser = new EventStreamParser();
    // An event is held back until the line with its number has arrived. If the connection breaks before that, the
    // service worker sends the event again, and the caller must not get it twice.
    let held = '';
    let ended = false;
    let refusal: ApiError | null = null;
    for await (const text of this.#textsOf(body)) {
      let whole = '';
      for (const block of parser.push(text)) {
        refusal ??= this.#refusal(block);
        if (refusal) continue;
        const number = /^id: (\d+)$/.exec(block)?.[1];
        if (number === undefined || this.#options.keepsEventNumbers)
          held += `${isAgain ? toldAsLost(block) : block}\n\n`;
        ended ||= block === 'data: [DONE]' || block.startsWith(ERROR);
        const isComment = block.startsWith(':') && held === `${block}\n\n`;
        if (number === undefined && !ended && !isComment) continue;
        whole += held;
        held = '';
        if (number === undefined) continue;
        this.#lastEvent = number;
        this.#failures = 0;
      }
      if (whole !== '') yield whole;
    }
    return ended || refusal;
  }

  /**
   * Reads a refusal that may pass from an event. The headers of a stream are sent after 500 ms, so that a client can no
   * longer repeat a request that the engine refuses a moment later. What fails later is no refusal: its wait would be
   * repeated, too.
   */
  #refusal(block: string): ApiError | null {
    if (this.#lastEvent !== null || !block.startsWith(ERROR) || this.#weight() < 1) return null;
    const error = ApiError.fromData(errorOf(block));
    return 'retry-after' in retryHeaders(error) ? error : null;
  }

  /**
   * Yields white space immediately, since it keeps the caller's connection alive, and the JSON document once it is
   * complete.
   */
  async *#document(first: ReadableStream<Uint8Array>): AsyncGenerator<string, undefined> {
    let body = first;
    for (;;) {
      let document = '';
      for await (const text of this.#textsOf(body)) {
        if (document === '' && text.trim() === '') yield text;
        else document += text;
      }
      if (isJson(document)) {
        yield document;
        return;
      }
      const next = await this.#reconnect();
      if (next instanceof ApiError) {
        yield JSON.stringify(errorBody(next));
        return;
      }
      body = next;
    }
  }

  /**
   * Yields the text of one connection and returns when it closes or breaks. @throws the signal's reason if it aborts.
   */
  async *#textsOf(body: ReadableStream<Uint8Array>): AsyncGenerator<string, undefined> {
    const decoder = new TextDecoder();
    const reader = body.getReader();
    const ended = new AbortController();
    // In Chromium a read that was pending when its page was frozen may never settle, even after the page is resumed.
    const resumed = new Promise<null>((resolve) => {
      document.addEventListener('resume', () => resolve(null), { signal: ended.signal });
    });
    try {
      for (;;) {
        const chunk = await withTimeoutAfterThaw(READ_TIMEOUT, Promise.race([reader.read(), resumed]));
        if (chunk === null) {
          trace(this.#options.name, 'abandons its connection');
          this.#stale = reader;
          return;
        }
        if (chunk.done) return;
        yield decoder.decode(chunk.value, { stream: true });
      }
    } catch {
      this.#signal.throwIfAborted();
    } finally {
      ended.abort();
      if (this.#stale !== reader) reader.cancel().catch(() => {});
    }
  }

  /**
   * Returns the body of a new connection, or an error if the response cannot be resumed. @throws the signal's reason if
   * it aborts.
   * @param refusal Why the last connection was refused. Default: it broke.
   */
  async #reconnect(refusal: ApiError | null = null): Promise<ReadableStream<Uint8Array> | ApiError> {
    try {
      if (refusal) await this.#delayRefused(retryHeaders(refusal)['retry-after']);
      let failure = refusal ?? responseLost();
      for (let weight = refusal ? 1 : this.#weight(); ; weight = 1) {
        await this.#delayRetry(failure, weight);
        const response = await this.#request();
        if (response.ok && response.body !== null) return response.body;
        failure = responseLost();
        // The web server's response: no service worker is there yet, as after the site's data were cleared.
        if (!response.ok && !response.headers.has(ENGINE_HEADER)) continue;
        const { error } = (await response.json()) as { error: ApiErrorData };
        if (error.code !== 'stream_not_found') failure = ApiError.fromData(error);
        const retryAfter = response.headers.get('retry-after');
        if (retryAfter === null) return this.#giveUp(failure);
        // The engine still writes the answer, and the caller cannot repeat its request: it has the headers.
        await this.#delayRefused(retryAfter);
      }
    } catch (thrown) {
      this.#signal.throwIfAborted();
      return this.#giveUp(thrown instanceof ApiError ? thrown : responseLost(thrown));
    } finally {
      this.#stale?.cancel().catch(() => {});
      this.#stale = null;
    }
  }

  /** @param retryAfter Seconds that the refusal asks for. */
  #delayRefused(retryAfter: string | undefined): Promise<void> {
    return sleep(Math.min(Number(retryAfter) * 1000, MAX_REFUSAL_DELAY), this.#signal);
  }

  /** Ends the completion that nobody can read any more. A caller that named its stream can still ask for the rest. */
  #giveUp(error: ApiError): ApiError {
    if (!this.#options.keepsEventNumbers) this.#options.cancel();
    return error;
  }

  /**
   * Sends the request until there is a response. One that is not ok has its whole body: the service worker may die between
   * its headers and its body, too.
   */
  async #request(): Promise<Response> {
    for (;;) {
      this.#requestedAt = performance.now();
      const attempt = new AbortController();
      try {
        const signal = AbortSignal.any([this.#signal, attempt.signal]);
        const response = await withTimeoutAfterThaw(READ_TIMEOUT, this.#options.request(this.#lastEvent, signal));
        // The status of a redirect that the caller does not want followed is 0, and it has no body.
        if (response?.ok || response?.status === 0) return response;
        const bytes = response && (await withTimeoutAfterThaw(READ_TIMEOUT, response.arrayBuffer()));
        if (response && bytes) return withBody(response, bytes.byteLength > 0 ? bytes : null);
        // The completion goes on, and the next request joins it.
        attempt.abort();
        throw engineUnavailable('The service worker has not answered in time.', 1);
      } catch (thrown) {
        await this.#delayRetry(thrown, this.#weight());
      }
    }
  }

  /** How much the end of the latest connection counts as a failed attempt. */
  #weight(): number {
    return performance.now() - this.#requestedAt >= STABLE_CONNECTION ? STABLE_FAILURE : 1;
  }

  /**
   * Waits before the next attempt.
   * @param weight How much the failure counts; 1 is a whole failed attempt.
   * @throws `failure` after {@link MAX_ATTEMPTS} attempts; the signal's reason if it aborts.
   */
  async #delayRetry(failure: unknown, weight: number): Promise<void> {
    this.#signal.throwIfAborted();
    trace(
      this.#options.name,
      'interrupted after event',
      this.#lastEvent ?? 'none',
      `(${this.#failures} failed attempts)`,
    );
    this.#failures += weight;
    if (this.#failures >= MAX_ATTEMPTS) throw failure;
    if (this.#failures > 1) await sleep(RETRY_DELAY * 2 ** (this.#failures - 2), this.#signal);
  }
}

/** The response of the service worker for a completion that the engine does not have, made by the page. */
export function streamNotFound(): Response {
  const error = new ApiError('stream_not_found', 'The engine that wrote this answer has gone, and the answer with it.');
  return Response.json(errorBody(error), { status: error.status, headers: { [ENGINE_HEADER]: 'local' } });
}

/** Returns a response with another body. `url` is empty on a response made by `new Response()`, so it is copied. */
function withBody(response: Response, body: BodyInit | null): Response {
  return Object.defineProperty(new Response(body, response), 'url', { value: response.url });
}

function responseLost(cause?: unknown): ApiError {
  return engineUnavailable('The answer broke off, and it is lost: the engine that wrote it has gone.', 1, cause);
}

/** The beginning of an event with an error. */
const ERROR = 'data: {"error":';

function errorEvent(error: ApiError): string {
  return `data: ${JSON.stringify(errorBody(error))}`;
}

/**
 * Replaces the error of a lost answer, which the caller has not asked to resume. It is an event if the response headers
 * had to be sent before the engine was asked.
 */
function toldAsLost(block: string): string {
  if (!block.startsWith(ERROR)) return block;
  return errorOf(block).code === 'stream_not_found' ? errorEvent(responseLost()) : block;
}

function errorOf(block: string): ApiErrorData {
  return (JSON.parse(block.slice('data: '.length)) as { readonly error: ApiErrorData }).error;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
