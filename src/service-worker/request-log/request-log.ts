import { ApiError } from '../../shared/api-error.ts';
import type { CompletionEvent, DeltaEvent, Usage } from '../../shared/engine/completion-event.ts';
import type { RequestRecord } from '../../shared/storage/request-record.ts';
import type { ExchangeObserver, ExchangeStart } from './exchange-observer.ts';

export interface RequestLogOptions {
  /** Stores a record. Its errors go to the console and affect no request. */
  readonly write: (record: RequestRecord) => Promise<void>;
  /** Whether prompts and outputs may be stored. Called once per request. */
  readonly keepsContent: () => Promise<boolean>;
}

/** Writes a record of each exchange when it is over. Responses do not wait for this. */
export function createRequestLog(options: RequestLogOptions): (start: ExchangeStart) => ExchangeObserver | null {
  // CORS preflights, which browsers send on their own, are not logged.
  return (start) => (start.method === 'OPTIONS' ? null : new RecordedExchange(start, options));
}

class RecordedExchange implements ExchangeObserver {
  readonly #start: ExchangeStart;
  readonly #write: RequestLogOptions['write'];
  /**
   * Settles when it is known whether prompts and outputs may be stored. If they may not, {@link #content} is null by
   * then.
   */
  readonly #decided: Promise<void>;
  readonly #time = Date.now();
  readonly #started = performance.now();
  #key: string | null = null;
  #model: string | null = null;
  #upstream: string | null = null;
  /** Request and response; null as soon as it is known that they may not be stored. */
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

  forwarded(upstream: string): void {
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

  /** Records the outcome. Later calls are ignored, because one error or cancellation can be reported several times. */
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

/**
 * Logs an error. An ApiError is not logged: it means that the database is unavailable, which the page's status reports.
 */
function report(error: unknown): void {
  if (!(error instanceof ApiError)) console.error(error);
}
