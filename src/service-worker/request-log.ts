import { ApiError } from '../shared/api-error.ts';
import type { CompletionEvent, DeltaEvent, Usage } from '../shared/completion-event.ts';
import type { RequestRecord } from '../shared/request-record.ts';
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

/** Of a request without a body, or one that was refused before its body was read. */
const NO_CONTENT = { request: '', response: '' };

class RecordedExchange implements ExchangeObserver {
  readonly #start: ExchangeStart;
  readonly #write: RequestLogOptions['write'];
  readonly #keepsContent: Promise<boolean>;
  readonly #time = Date.now();
  readonly #started = performance.now();
  #key: string | null = null;
  #model: string | null = null;
  #upstream: string | null = null;
  /** Null while nothing may be kept. */
  #content: { request: string; response: string } | null = null;
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
    this.#keepsContent = keepsContent().catch((error: unknown) => {
      report(error);
      return false;
    });
  }

  authenticated(keyName: string): void {
    this.#key = keyName;
  }

  async bodyRead(body: Uint8Array): Promise<void> {
    if (await this.#keepsContent) this.#content = { request: new TextDecoder().decode(body), response: '' };
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
    this.#keepsContent
      .then((keep) => this.#write({ ...record, content: keep ? (this.#content ?? NO_CONTENT) : null }))
      .catch(report);
  }
}

/** The page says that this browser keeps nothing; not every request has to. */
function report(error: unknown): void {
  if (!(error instanceof ApiError)) console.error(error);
}
