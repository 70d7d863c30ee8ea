import type { CompletionEvent } from '../engine/completion-event.ts';
import type { CompletionRequest } from '../engine/completion-request.ts';

/** What an answer is to the API: the value of its `object`. */
export type AnswerKind = 'chat.completion' | 'response';

/** What a list of stored answers can be made of without reading what was asked and said. */
export interface AnswerSummary {
  /** As the API tells it, such as `chatcmpl-…` or `resp_…`. */
  readonly id: string;
  readonly kind: AnswerKind;
  /** Lower-case hex SHA-256 of the key that asked; for every other key there is no such answer. */
  readonly keyHash: string;
  /** Seconds since 1970. */
  readonly created: number;
  /** Canonical id. */
  readonly model: string;
  readonly metadata: Readonly<Record<string, string>>;
  /** Size in storage, near enough: request and event log written as JSON. */
  readonly characters: number;
}

/**
 * An answer that can be asked for again. Together with the event log of its completion it is everything that is known of
 * it: whatever is sent is computed from these two, and nothing that could be computed is stored.
 */
export interface StoredAnswer extends AnswerSummary {
  /** How its completion is found in the engine while it runs. */
  readonly stream: { readonly id: string; readonly fingerprint: string };
  /** What the engine was asked. */
  readonly request: CompletionRequest;
  /** What only the route that answered knows, as plain data. */
  readonly detail: unknown;
}

/** The answers that are kept on this device. Every method fails with `storage_unavailable` where the browser keeps nothing. */
export interface AnswerRecords {
  /** Keeps an answer that has begun, or one of the same id in its place. What is too old or too much goes. */
  add(answer: StoredAnswer): Promise<void>;
  find(id: string): Promise<StoredAnswer | undefined>;
  /** Newest first. */
  list(): Promise<readonly AnswerSummary[]>;
  setMetadata(id: string, metadata: AnswerSummary['metadata']): Promise<void>;
  /** Deletes answer and log; an unknown id is no error. */
  delete(id: string): Promise<void>;
  deleteAll(): Promise<void>;
  /** Keeps all that was said, once its completion has ended, in whatever way. */
  addLog(id: string, log: readonly CompletionEvent[]): Promise<void>;
  /** Undefined while the completion runs, and where it never ended because its engine was lost. */
  log(id: string): Promise<readonly CompletionEvent[] | undefined>;
}
