import { ApiError } from '../../shared/api-error.ts';
import type { CompletionEvent, DeltaEvent, Usage } from '../../shared/engine/completion-event.ts';
import type { RequestRecord } from '../../shared/storage/request-record.ts';
import type { ExchangeObserver, ExchangeStart } from './exchange-observer.ts';

export interface RequestLogOptions {
  /** Keeps a record. What it throws is reported on the console and hurts no request. */
  readonly write: (record: RequestRecord) => Promise<void>;
  /** Whether questions and answers may be kept. Asked once for each request. */
  readonly keepsContent: () => Promise<boolean>;
}

/** Observes exchanges and writes a record of each that is over. Answers are not delayed. */
export function createRequestLog(options: RequestLogOptions): (start: ExchangeStart) => ExchangeObserver | null {
  // What a browser asks by itself before a request of another origin is no request to the service.
  return (start) => (start.method === 'OPTIONS' ? null : new RecordedExchange(start, options));
}

class RecordedExchange implements ExchangeObserver {
  readonly #start: ExchangeStart;
  readonly #write: RequestLogOptions['write'];
  /** Settles when what may not be kept is forgotten. */
  readonly #decided: Promise<void>;
  readonly #time = Date.now();
  readonly #started = performance.now();
  #key: string | null = null;
  #model: string | null = null;
  #upstream: string | null = null;
  /**
   * Gathered until it is known whether it may be kept, which no answer waits for; null when it may not. Without a body for a
   * request that has none, or was refused before.
   */
  #content: { request: Uint8Array; response: string } | null = { request: new Uint8Array(), response: '' };
  #completes = false;
  #firstDelta: number | null = null;
  #lastDelta = 0;
  #usage: Usage | null = null;
  #response: { readonly status: number; readonly streamed: boolean } | null = null;
  #end: { readonly outcome: string; readonly duration: number } | null = null;
  #written = false;

  constructor(start: ExchangeStart, { write, keepsContent }: RequestLogOptions) {
    this.#start = start;
    this.#write = write;
    this.#decided = this.#decide(keepsContent);
  }

  authenticated(keyName: string): void {
    this.#key = keyName;
  }

  bodyRead(body: Uint8Array): void {
    if (this.#content !== null) this.#content.request = body;
  }

  modelNamed(id: string): void {
    this.#model = id.slice(0, 200);
  }

  passedOn(upstream: string): void {
    this.#upstream = upstream;
    this.completionStarted();
  }

  completionStarted(): void {
    this.#completes = true;
    this.#firstDelta = null;
    if (this.#content !== null) this.#content.response = '';
  }

  completionEvents(events: readonly CompletionEvent[]): void {
    for (const event of events) {
      if (event.type === 'delta') this.#delta(event);
      else if (event.type === 'done') {
        this.#usage = event.usage;
        this.#ended('complete');
      }
    }
  }

  completed(): void {
    this.#ended('complete');
  }

  cancelled(): void {
    this.#ended('cancelled');
  }

  failed(code: string): void {
    this.#ended(code);
  }

  responded(status: number, streamed: boolean): void {
    this.#response = { status, streamed };
    if (this.#completes) this.#writeWhenOver();
    else this.#ended('complete');
  }

  async #decide(keepsContent: RequestLogOptions['keepsContent']): Promise<void> {
    try {
      if (await keepsContent()) return;
    } catch (error) {
      report(error);
    }
    this.#content = null;
  }

  #delta(event: DeltaEvent): void {
    this.#lastDelta = performance.now();
    this.#firstDelta ??= this.#lastDelta;
    if (this.#content === null) return;
    const { reasoning = '', content = '', toolCalls = [] } = event;
    this.#content.response += reasoning + content + toolCalls.map((call) => call.arguments).join('');
  }

  get #tokensPerSecond(): number | null {
    const tokens = this.#usage?.completionTokens ?? 0;
    const seconds = (this.#lastDelta - (this.#firstDelta ?? 0)) / 1000;
    return tokens < 2 || this.#firstDelta === null || seconds <= 0 ? null : (tokens - 1) / seconds;
  }

  /** Only the first end counts: others may follow an error or a cancellation. */
  #ended(outcome: string): void {
    this.#end ??= { outcome, duration: performance.now() - this.#started };
    this.#writeWhenOver();
  }

  #writeWhenOver(): void {
    if (this.#written || this.#response === null || this.#end === null) return;
    this.#written = true;
    const record = {
      ...this.#start,
      ...this.#response,
      ...this.#end,
      time: this.#time,
      key: this.#key,
      model: this.#model,
      upstream: this.#upstream,
      promptTokens: this.#usage?.promptTokens ?? null,
      completionTokens: this.#usage?.completionTokens ?? null,
      tokensPerSecond: this.#tokensPerSecond,
    };
    this.#decided
      .then(() => {
        const content = this.#content && { ...this.#content, request: new TextDecoder().decode(this.#content.request) };
        return this.#write({ ...record, content });
      })
      .catch(report);
  }
}

/** The page says that this browser keeps nothing; not every request has to. */
function report(error: unknown): void {
  if (!(error instanceof ApiError)) console.error(error);
}
