import { ApiError, errorBody, type ApiErrorData } from '../../shared/api-error.ts';
import { engineUnavailable } from '../../shared/engine/engine-errors.ts';
import { EventStreamParser } from '../../shared/http/event-stream-parser.ts';
import { STREAM_ID_HEADER } from '../../shared/http/resumable-stream.ts';
import { sleep, withTimeout } from '../../shared/timeout.ts';
import { trace } from '../../shared/trace/trace.ts';

export interface ResumedResponseOptions {
  /** What the trace calls it. */
  readonly name: string;
  /**
   * Asks for the answer.
   * @param lastEvent Number of the last event that came; null while none has.
   */
  readonly ask: (lastEvent: string | null, signal: AbortSignal) => Promise<Response>;
  /** Where to begin, as for {@link ask}. */
  readonly lastEvent: string | null;
  /** Whether the lines with the numbers of events stay in the body. */
  readonly tellsNumbers: boolean;
  /** Aborts when the caller does not want the answer any more. */
  readonly signal: AbortSignal;
  /** Ends the answer in the engine, also while nobody is subscribed to it. */
  readonly cancel: () => void;
}

/** How often in a row the answer is asked for in vain. An event that comes starts the count anew. */
const MOST_TRIES = 6;

/** Milliseconds before the second try after a failure; twice as many before each further one. The first is at once. */
const PAUSE = 100;

/**
 * Milliseconds without a sign of life, of which there is one every ten seconds, after which a connection counts as broken.
 * Browsers now and then forget to tell a page that the worker behind it has gone.
 */
const LONGEST_SILENCE = 60_000;

/** The same once more, briefly: what came while the page was stopped comes only now. */
const SECOND_CHANCE = 1000;

/** One answer, asked for as often as its connection breaks. */
export class ResumedResponse {
  readonly #options: ResumedResponseOptions;
  readonly #left = new AbortController();
  readonly #signal: AbortSignal;
  #lastEvent: string | null;
  #failures = 0;
  #over = false;

  constructor(options: ResumedResponseOptions) {
    this.#options = options;
    this.#lastEvent = options.lastEvent;
    this.#signal = AbortSignal.any([options.signal, this.#left.signal]);
    this.#signal.addEventListener('abort', () => {
      if (!this.#over) options.cancel();
    });
  }

  /**
   * The response with a body that goes on whatever breaks.
   * @throws what the last try failed with; the signal's reason.
   */
  async open(): Promise<Response> {
    const response = await this.#ask();
    const { ok, body, headers } = response;
    if (!ok || body === null || !headers.has(STREAM_ID_HEADER)) {
      this.#over = true;
      return response;
    }
    const isStream = headers.get('content-type')?.startsWith('text/event-stream') ?? false;
    const texts = isStream ? this.#events(body) : this.#document(body);
    const bytes = new TextEncoder();
    const whole = new ReadableStream<Uint8Array<ArrayBuffer>>(
      {
        pull: async (controller) => {
          const { done, value } = await texts.next();
          if (done !== true) return controller.enqueue(bytes.encode(value));
          this.#over = true;
          controller.close();
        },
        cancel: () => this.#left.abort(),
      },
      { highWaterMark: 0 },
    );
    // A response that a script makes has no address of its own.
    return Object.defineProperty(new Response(whole, response), 'url', { value: response.url });
  }

  async *#events(first: ReadableStream<Uint8Array>): AsyncGenerator<string, undefined> {
    let body = first;
    for (;;) {
      const ended = yield* this.#eventsOf(body);
      if (ended) return;
      const next = await this.#again();
      if (next instanceof ApiError) {
        yield `data: ${JSON.stringify(errorBody(next))}\n\n`;
        return;
      }
      body = next;
    }
  }

  /** What comes of one connection, event by event. @returns whether that was the end of the answer. */
  async *#eventsOf(body: ReadableStream<Uint8Array>): AsyncGenerator<string, boolean> {
    const parser = new EventStreamParser();
    // Of an event whose number has not come yet; it will come again if the connection breaks.
    let held = '';
    let ended = false;
    for await (const text of this.#textsOf(body)) {
      let whole = '';
      for (const block of parser.push(text)) {
        const number = /^id: (\d+)$/.exec(block)?.[1];
        if (number === undefined || this.#options.tellsNumbers) held += `${block}\n\n`;
        ended ||= block === 'data: [DONE]' || block.startsWith('data: {"error":');
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
    return ended;
  }

  /** White space, which shows that the answer is still coming, is passed on; the document when it is whole. */
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
      const next = await this.#again();
      if (next instanceof ApiError) {
        yield JSON.stringify(errorBody(next));
        return;
      }
      body = next;
    }
  }

  /** Ends where the connection does, however that was. @throws the signal's reason. */
  async *#textsOf(body: ReadableStream<Uint8Array>): AsyncGenerator<string, undefined> {
    const decoder = new TextDecoder();
    const reader = body.getReader();
    try {
      for (;;) {
        const read = reader.read();
        const piece =
          (await withTimeout(LONGEST_SILENCE, read, null)) ?? (await withTimeout(SECOND_CHANCE, read, null));
        if (piece === null) trace(this.#options.name, 'has gone silent');
        if (piece === null || piece.done) return;
        yield decoder.decode(piece.value, { stream: true });
      }
    } catch {
      this.#signal.throwIfAborted();
    } finally {
      reader.cancel().catch(() => {});
    }
  }

  /** The body of another try; an error where the answer cannot be had any more. @throws the signal's reason. */
  async #again(): Promise<ReadableStream<Uint8Array> | ApiError> {
    try {
      await this.#pause(brokeOff());
      const response = await this.#ask();
      if (response.ok && response.body !== null) return response.body;
      const { error } = (await response.json()) as { error: ApiErrorData };
      return error.code === 'stream_not_found' ? brokeOff() : ApiError.fromData(error);
    } catch (thrown) {
      this.#signal.throwIfAborted();
      return thrown instanceof ApiError ? thrown : brokeOff(thrown);
    }
  }

  async #ask(): Promise<Response> {
    for (;;) {
      try {
        return await this.#options.ask(this.#lastEvent, this.#signal);
      } catch (thrown) {
        await this.#pause(thrown);
      }
    }
  }

  /** @throws `failure` when there have been enough. */
  async #pause(failure: unknown): Promise<void> {
    this.#signal.throwIfAborted();
    trace(this.#options.name, 'broke off after event', this.#lastEvent ?? 'none', `(${this.#failures} tries in vain)`);
    if (++this.#failures >= MOST_TRIES) throw failure;
    if (this.#failures > 1) await sleep(PAUSE * 2 ** (this.#failures - 2), this.#signal);
  }
}

function brokeOff(cause?: unknown): ApiError {
  return engineUnavailable('The answer broke off, and it is lost: the engine that wrote it has gone.', 1, cause);
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
