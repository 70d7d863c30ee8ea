import type { ApiErrorCode } from '../../shared/api-error.ts';
import type { CompletionEvent } from '../../shared/engine/completion-event.ts';

/** The facts about a request that are known before any check. */
export interface ExchangeStart {
  readonly requestId: string;
  readonly method: string;
  readonly path: string;
}

/**
 * Observes one request. The methods must not throw. They are called in this order, except that {@link responded} may
 * precede the events and the outcome. The exchange is over when its response exists and its completion, if any, has
 * ended: with a `done` event, {@link completed}, {@link failed} or {@link cancelled}.
 */
export interface ExchangeObserver {
  /**
   * The request's key is accepted.
   * @param keyName Name of the key.
   */
  authenticated(keyName: string): void;
  /**
   * The request body has been read.
   * @param body The unparsed body; must not be modified.
   */
  bodyRead(body: Uint8Array): void;
  /** The request's model is known. Called with the id in the body, then with the id that an alias resolves to. */
  modelNamed(id: string): void;
  /** An upstream responds instead of the engine. No completion events follow; {@link completed} reports the end. */
  forwarded(upstream: string): void;
  /** The completion starts. Called again for a second attempt, which discards the output of the first. */
  completionStarted(): void;
  /**
   * The completion has produced events.
   * @param events Must not be modified.
   */
  completionEvents(events: readonly CompletionEvent[]): void;
  /** The response of an upstream is complete. */
  completed(): void;
  /** The client disconnected before the end of the response. */
  cancelled(): void;
  /** The request was rejected, or its completion failed. */
  failed(code: ApiErrorCode): void;
  /**
   * The response exists; its body may still be running.
   * @param streamed Whether the response is an event stream.
   */
  responded(status: number, streamed: boolean): void;
}
