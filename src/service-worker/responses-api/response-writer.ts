import { ApiError } from '../../shared/api-error.ts';
import type { CompletionEvent, FinishReason, Usage } from '../../shared/engine/completion-event.ts';
import { OutputWriter } from './output-writer.ts';
import type { ResponseDetail } from './response-detail.ts';
import type { OutputItem } from './response-items.ts';

type ResponseStatus = 'queued' | 'in_progress' | 'completed' | 'incomplete' | 'failed' | 'cancelled';

/** An event of the stream of a response, such as `response.output_text.delta`. */
export interface ResponseEvent {
  readonly type: string;
  /** Number of the event in its stream, counted from 0. */
  readonly sequence_number: number;
  readonly [field: string]: unknown;
}

/** The facts about a response that are known before the first event of its completion. */
export interface ResponseBeginning {
  /** `resp_` and 32 hexadecimal digits. */
  readonly id: string;
  /** Seconds since 1970. */
  readonly created: number;
  readonly detail: ResponseDetail;
  /** Whether the `begun` event will bring the id and creation time. If so, no event can be written before it. */
  readonly awaitsId: boolean;
}

/**
 * Converts the events of a completion to a response object and to the events of its stream. The result is
 * deterministic: a client that resumes the stream, even after the service worker restarted, gets the same event numbers
 * and ids.
 */
export class ResponseWriter {
  readonly #detail: ResponseDetail;
  #id: string;
  #created: number;
  #stored = false;
  #awaitsId: boolean;
  #status: ResponseStatus;
  #begun = false;
  #sentInProgress = false;
  readonly #output: OutputWriter;
  #reason: FinishReason = 'stop';
  #usage: Usage | null = null;
  #completed: number | null = null;
  #failure: ApiError | null = null;
  #sequence = 0;
  #events: ResponseEvent[] = [];

  constructor({ id, created, detail, awaitsId }: ResponseBeginning) {
    this.#id = id;
    this.#created = created;
    this.#detail = detail;
    this.#awaitsId = awaitsId;
    this.#status = detail.background ? 'queued' : 'in_progress';
    this.#output = new OutputWriter(detail, (type, fields) => this.#emit(type, fields));
  }

  /** The response object as built so far. */
  get response(): object {
    return {
      id: this.#id,
      object: 'response',
      created_at: this.#created,
      completed_at: this.#status === 'completed' ? this.#completed : null,
      status: this.#status,
      error: this.#status === 'failed' && this.#failure !== null ? failureObject(this.#failure) : null,
      incomplete_details: this.#status === 'incomplete' ? { reason: 'max_output_tokens' } : null,
      ...this.#detail.settings,
      output: structuredClone(this.output),
      store: this.#stored,
      usage: this.#usage && usageObject(this.#usage),
    };
  }

  get stored(): boolean {
    return this.#stored;
  }

  /** The error of a failed response; null if it is in progress, complete or cancelled. */
  get failure(): ApiError | null {
    return this.#failure;
  }

  /** Number of events written so far, which is also the number of the next event. */
  get eventCount(): number {
    return this.#sequence;
  }

  get output(): readonly OutputItem[] {
    return this.#output.items;
  }

  /**
   * Returns the events that precede the output, such as `response.created`. Empty if they were returned before, or if
   * the response has no id yet.
   */
  begin(): readonly ResponseEvent[] {
    return this.#collect(() => {
      if (!this.#awaitsId) this.#begin();
    });
  }

  write(event: CompletionEvent): readonly ResponseEvent[] {
    return this.#collect(() => this.#write(event));
  }

  #write(event: CompletionEvent): void {
    switch (event.type) {
      case 'begun':
        this.#created = event.created;
        this.#id = event.answerId ?? this.#id;
        this.#stored = event.answerId !== undefined;
        this.#awaitsId = false;
        return;
      case 'queued':
      case 'loading':
        return;
      case 'prefill':
        this.#status = 'in_progress';
        return;
      case 'delta':
        this.#start();
        return this.#output.write(event, this.#id);
      case 'finish':
        this.#start();
        this.#reason = event.reason;
        return this.#output.end(event.reason === 'length' ? 'incomplete' : 'completed', this.#id);
      case 'done':
        this.#usage = event.usage;
        this.#completed = event.completed ?? null;
        return this.#end(this.#reason === 'length' ? 'incomplete' : 'completed');
      case 'error':
        return this.#fail(ApiError.fromData(event.error));
    }
  }

  #begin(): void {
    if (this.#begun) return;
    this.#begun = true;
    if (!this.#detail.background) {
      this.#emit('response.created', { response: this.response });
      return this.#emitInProgress();
    }
    const status = this.#status;
    this.#status = 'queued';
    this.#emit('response.created', { response: this.response });
    this.#emit('response.queued', { response: this.response });
    this.#status = status;
  }

  /** Marks a queued background response as in progress, because output is about to be written. */
  #start(): void {
    this.#begin();
    this.#status = 'in_progress';
    if (!this.#sentInProgress) this.#emitInProgress();
  }

  #emitInProgress(): void {
    this.#sentInProgress = true;
    this.#emit('response.in_progress', { response: this.response });
    this.#output.addSearch(this.#id);
  }

  #fail(error: ApiError): void {
    this.#begin();
    if (this.#output.isBegun) this.#output.end('incomplete', this.#id);
    if (error.code === 'answer_cancelled') return this.#end('cancelled');
    this.#failure = error;
    const { message, type, code, param } = error;
    // In the API's published description the fields of the error are flat. OpenAI's service, and clients written for
    // it, nest them in `error`. This event has both forms.
    this.#emit('error', { code, message, param, error: { type, code, message, param } });
    this.#end('failed');
  }

  #end(status: Exclude<ResponseStatus, 'queued' | 'in_progress'>): void {
    this.#status = status;
    // The API has no event for a cancelled response, so it ends with `response.incomplete`.
    this.#emit(`response.${status === 'cancelled' ? 'incomplete' : status}`, { response: this.response });
  }

  #emit(type: string, fields: Readonly<Record<string, unknown>>): void {
    this.#events.push({ type, sequence_number: this.#sequence++, ...fields });
  }

  #collect(write: () => void): readonly ResponseEvent[] {
    this.#events = [];
    write();
    return this.#events;
  }
}

/**
 * Error codes that a response object reports unchanged. The first is in the API's published description; existing
 * clients know the second.
 */
const KNOWN_FAILURES: readonly string[] = ['rate_limit_exceeded', 'context_length_exceeded'];

function failureObject({ code, message }: ApiError): object {
  return { code: KNOWN_FAILURES.includes(code) ? code : 'server_error', message };
}

export function usageObject(usage: Usage): object {
  return {
    input_tokens: usage.promptTokens,
    input_tokens_details: { cached_tokens: usage.cachedTokens, cache_write_tokens: 0 },
    output_tokens: usage.completionTokens,
    output_tokens_details: { reasoning_tokens: usage.reasoningTokens },
    total_tokens: usage.promptTokens + usage.completionTokens,
  };
}
