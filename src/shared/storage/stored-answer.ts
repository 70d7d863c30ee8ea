import type { CompletionEvent } from '../engine/completion-event.ts';
import type { CompletionRequest } from '../engine/completion-request.ts';

/** The value of the field `object` in the API's response. */
export type AnswerKind = 'chat.completion' | 'response';

/** The part of a stored answer that lists need, without its content. */
export interface AnswerSummary {
  /** The API's id, such as `chatcmpl-…` or `resp_…`. */
  readonly id: string;
  readonly kind: AnswerKind;
  /** Lower-case hex SHA-256 of the API key. Other keys cannot read the answer. */
  readonly keyHash: string;
  /** Seconds since 1970. */
  readonly created: number;
  /** Id of the model, with aliases resolved. */
  readonly model: string;
  readonly metadata: Readonly<Record<string, string>>;
  /** Approximate size: what is stored of the request, and the event log, as JSON. */
  readonly characters: number;
}

/** A stored answer without its event log. Every form in which the API returns the answer is computed from the two. */
export interface StoredAnswer extends AnswerSummary {
  /** Identifies the completion in the engine while it runs. */
  readonly stream: { readonly id: string; readonly fingerprint: string };
  readonly request: CompletionRequest;
  /** Plain data whose type only the route that stored the answer knows. */
  readonly detail: unknown;
}

/**
 * The answers stored on this device. Every method throws an ApiError `storage_unavailable` if the database cannot be
 * opened.
 */
export interface AnswerRecords {
  /** Stores an answer whose completion has started, replaces an answer of the same id, and evicts old answers. */
  add(answer: StoredAnswer): Promise<void>;
  find(id: string): Promise<StoredAnswer | undefined>;
  /** Lists the answers of all keys, newest first. */
  list(): Promise<readonly AnswerSummary[]>;
  setMetadata(id: string, metadata: AnswerSummary['metadata']): Promise<void>;
  /** Deletes an answer and its log. An unknown id is no error. */
  delete(id: string): Promise<void>;
  deleteAll(): Promise<void>;
  /** Stores the complete log after the completion has ended. */
  addLog(id: string, log: readonly CompletionEvent[]): Promise<void>;
  /** Returns the event log of an answer; undefined while the completion runs, or if its engine died. */
  log(id: string): Promise<readonly CompletionEvent[] | undefined>;
}
