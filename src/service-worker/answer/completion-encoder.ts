import type { ApiError } from '../../shared/api-error.ts';
import type { CompletionEvent } from '../../shared/completion-event.ts';

/** Events that a client sees: everything but waiting and failing. */
export type OutputEvent = Extract<CompletionEvent, { type: 'delta' | 'finish' | 'done' }>;

/** Turns a completion into the text of a response body, event by event. */
export interface CompletionEncoder {
  readonly contentType: string;
  readonly cacheControl: string;
  /** What to send for this event; empty when it is only remembered. */
  encode(event: OutputEvent): string;
  /** What to send while nothing else can be. `waitingFor` says what for, such as `queued 2`. */
  keepAlive(waitingFor: string): string;
  /** How a failure is told after the first byte; null when only breaking the connection can tell. */
  fail(error: ApiError): string | null;
}

/** What every chunk and the whole answer say about the reply as such. */
export interface ReplyHeader {
  readonly id: string;
  /** Seconds since 1970. */
  readonly created: number;
  /** Canonical id. */
  readonly model: string;
  readonly system_fingerprint: string;
}
