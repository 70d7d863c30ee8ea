import type { ApiErrorCode } from '../../shared/api-error.ts';
import type { CompletionEvent } from '../../shared/engine/completion-event.ts';

/** What is known of a request before anything of it is checked. */
export interface ExchangeStart {
  readonly requestId: string;
  readonly method: string;
  readonly path: string;
}

/**
 * Is told of one request what the app learns of it, in the order of these methods. None may throw. An exchange is
 * over when its response exists and, where a completion was started, that has ended too: with `done` among its events,
 * with {@link failed} or with {@link cancelled}.
 */
export interface ExchangeObserver {
  /** @param keyName What the accepted key is called. */
  authenticated(keyName: string): void;
  /** The whole body, as it came, before it is parsed; only to be read. */
  bodyRead(body: Uint8Array): void;
  /** The model that the body names; once it is found, told again with its canonical id. */
  modelNamed(id: string): void;
  /** An upstream of this name answers: no events will be told, only that it is {@link completed}. */
  passedOn(upstream: string): void;
  /** Called again when the completion failed and is begun anew: what it said before does not count any more. */
  completionStarted(): void;
  /** Events of the completion, those together that came together. They are the app's own: only to be read. */
  completionEvents(events: readonly CompletionEvent[]): void;
  /** What was passed on has been answered to its end. */
  completed(): void;
  /** The client has left before the end of the answer. */
  cancelled(): void;
  /** The request is refused, or what answers it has broken down. */
  failed(code: ApiErrorCode): void;
  /** @param streamed Whether the answer is a stream of events. */
  responded(status: number, streamed: boolean): void;
}
