import type { ApiError } from '../../shared/api-error.ts';
import type { CompletionEvent } from '../../shared/engine/completion-event.ts';

export type WaitingEvent = Extract<CompletionEvent, { type: 'begun' | 'queued' | 'loading' | 'prefill' }>;

/** Events after which there is still no output. */
export function isWaiting(event: CompletionEvent): event is WaitingEvent {
  return event.type === 'begun' || event.type === 'queued' || event.type === 'loading' || event.type === 'prefill';
}

/** Turns a completion into the text of a response body, event by event. */
export interface CompletionEncoder {
  readonly contentType: string;
  readonly cacheControl: string;
  /** Whether nothing of the answer is sent before all of it is known. */
  readonly sentWhole: boolean;
  /** What to send for this event; empty when it is only remembered. */
  encode(event: Exclude<CompletionEvent, { type: 'error' }>): string;
  /** What to send while there is nothing to tell. */
  keepAlive(): string;
  /** How a failure is told after the head, whose status it cannot change any more. */
  fail(error: ApiError): string;
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
