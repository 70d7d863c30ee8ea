import type { ApiError } from '../../shared/api-error.ts';
import type { CompletionEvent } from '../../shared/engine/completion-event.ts';

export type WaitingEvent = Extract<CompletionEvent, { type: 'begun' | 'queued' | 'loading' | 'prefill' }>;

export function isWaiting(event: CompletionEvent): event is WaitingEvent {
  return event.type === 'begun' || event.type === 'queued' || event.type === 'loading' || event.type === 'prefill';
}

/** Encodes the events of a completion as the text of a response body. */
export interface CompletionEncoder {
  readonly contentType: string;
  readonly cacheControl: string;
  /** Whether the whole body is sent at the end, as a JSON document is. False for a stream. */
  readonly isBuffered: boolean;
  /** Returns the text to send; empty if the encoder only keeps the event. */
  encode(event: Exclude<CompletionEvent, { type: 'error' }>): string;
  /** Returns the text that keeps an idle connection open. */
  keepAlive(): string;
  /** Returns the text of an error that occurs after the response headers, when the status can no longer change. */
  encodeError(error: ApiError): string;
}

/** The fields that identify a completion, in its JSON document and in each chunk of its stream. */
export interface CompletionIdentity {
  readonly id: string;
  /** Seconds since 1970. */
  readonly created: number;
  /** Id of the model, with aliases resolved. */
  readonly model: string;
  readonly system_fingerprint: string;
}
