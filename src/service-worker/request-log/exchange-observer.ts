import type { ApiErrorCode } from '../../shared/api-error.ts';
import type { CompletionEvent } from '../../shared/engine/completion-event.ts';

/** What is known of a request before any check. */
export interface ExchangeStart {
  readonly requestId: string;
  readonly method: string;
  readonly path: string;
}

/**
 * Observes one request. Its methods are called in this order and must not throw. An exchange is over when its response exists
 * and its completion, if any, has ended: with a `done` event, {@link completed}, {@link failed} or {@link cancelled}.
 */
export interface ExchangeObserver {
  /** @param keyName Name of the accepted key. */
  authenticated(keyName: string): void;
  /** @param body The unparsed request body; must not be modified. */
  bodyRead(body: Uint8Array): void;
  /** Called with the id in the body, then with the id that it resolves to. */
  modelNamed(id: string): void;
  /** An upstream responds. There are no events, only {@link completed}. */
  forwarded(upstream: string): void;
  /** Called again for a second attempt, which discards the output of the first. */
  completionStarted(): void;
  /** @param events Must not be modified. */
  completionEvents(events: readonly CompletionEvent[]): void;
  /** The response of an upstream is complete. */
  completed(): void;
  /** The client disconnected before the end of the response. */
  cancelled(): void;
  /** The request was rejected, or its completion failed. */
  failed(code: ApiErrorCode): void;
  /** @param streamed Whether the response is an event stream. */
  responded(status: number, streamed: boolean): void;
}
