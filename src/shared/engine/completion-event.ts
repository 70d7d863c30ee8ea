import type { ApiErrorData } from '../api-error.ts';

export const FINISH_REASONS = ['stop', 'length', 'tool_calls'] as const;
export type FinishReason = (typeof FINISH_REASONS)[number];

export interface TopLogprob {
  readonly token: string;
  /** Natural logarithm of the probability; finite, −9999 stands for minus infinity. */
  readonly logprob: number;
  /** UTF-8 bytes of the token. */
  readonly bytes: readonly number[];
}

export interface TokenLogprob extends TopLogprob {
  readonly topLogprobs: readonly TopLogprob[];
}

/** A piece of a tool call. `id` and `name` are only in the first piece of each call. */
export interface ToolCallDelta {
  readonly index: number;
  readonly id?: string;
  readonly name?: string;
  /** A piece of the arguments' JSON text, or of a custom tool's free-form input. */
  readonly arguments: string;
  /** In every piece of a call of a custom tool; absent for a function. */
  readonly custom?: true;
}

export interface Usage {
  /** The whole rendered prompt including its cached prefix, counted once for all choices. */
  readonly promptTokens: number;
  /** Sampled tokens of all choices. */
  readonly completionTokens: number;
  readonly cachedTokens: number;
  readonly reasoningTokens: number;
}

/** A piece of output. At least one of `content`, `reasoning`, `toolCalls`, `embedding` is present and not empty. */
export interface DeltaEvent {
  readonly type: 'delta';
  /** Index of the choice, or of the input of an embedding. */
  readonly choice: number;
  readonly content?: string;
  readonly reasoning?: string;
  readonly toolCalls?: readonly ToolCallDelta[];
  /**
   * The complete vector of an input, normalised to length 1; of a reranking model, one number. No other field is
   * present with it.
   */
  readonly embedding?: Float32Array<ArrayBuffer>;
  /** The tokens of this piece, if the request set `logprobs`. */
  readonly logprobs?: readonly TokenLogprob[];
}

/**
 * The engine prefills a prompt. Sent at the start, again after each part of a long prompt, and at the end with the length
 * of the prompt.
 */
export interface PrefillEvent {
  readonly type: 'prefill';
  /** Prompt tokens prefilled so far, without the cached prefix. Absent at the start. */
  readonly tokens?: number;
  /** The engine and the device that run the model, as {@link Engine.place}. Default: WebLLM, on the GPU. */
  readonly engine?: string;
  /**
   * The length of the first prompt, as `done` reports it. Sent before the first output, by engines that count the prompt
   * before they end.
   */
  readonly prompt?: Pick<Usage, 'promptTokens' | 'cachedTokens'>;
}

/** A choice is complete. */
interface FinishEvent {
  readonly type: 'finish';
  readonly choice: number;
  readonly reason: FinishReason;
  /**
   * The request's stop sequence that ended the choice; absent if none did, or if the engine does not report which one.
   */
  readonly stopSequence?: string;
  /** Whether the choice ended because the model repeated itself endlessly; its `reason` is `length`. Default: false. */
  readonly isStuck?: boolean;
}

/** The completion has ended. */
interface DoneEvent {
  readonly type: 'done';
  readonly usage: Usage;
  /**
   * When the completion ended, in seconds since 1970. Absent until the log is complete, and in logs of older builds.
   */
  readonly completed?: number;
}

/**
 * Events of a generation: `prefill`, then for each choice its deltas and one `finish`, then `done`. Further `prefill`
 * events may come before the deltas of any choice. Embeddings: `prefill` and deltas for each batch, then `done`.
 */
export type GenerationEvent = PrefillEvent | DeltaEvent | FinishEvent | DoneEvent;

/**
 * An event of a completion's log: `queued` and `loading` any number of times, then the events of the generation. Every
 * log ends with exactly one `done` or `error`, unless its only client has cancelled.
 */
export type CompletionEvent =
  /**
   * The first event of a resumable completion. `created` is in seconds since 1970. `answerId` is the id under which the
   * response is stored; it may differ from the id that the client chose, and is absent if the response is not stored.
   */
  | { readonly type: 'begun'; readonly created: number; readonly answerId?: string }
  /** `position` is the number of requests ahead including the running one, at least 1. */
  | { readonly type: 'queued'; readonly position: number }
  /** `progress` of loading the model is 0…1. */
  | { readonly type: 'loading'; readonly progress: number }
  | GenerationEvent
  | { readonly type: 'error'; readonly error: ApiErrorData };
