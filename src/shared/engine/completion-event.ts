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

/** A piece of a tool call: `id` and `name` come exactly once, with the first piece of that call. */
export interface ToolCallDelta {
  readonly index: number;
  readonly id?: string;
  readonly name?: string;
  /** A piece of the JSON text of the arguments; of a custom tool a piece of its input, any text. */
  readonly arguments: string;
  /** Told with every piece of a call of a custom tool; absent for a function. */
  readonly custom?: true;
}

export interface Usage {
  /** The whole rendered prompt, whatever was cached; counted once for all choices. */
  readonly promptTokens: number;
  /** Sampled tokens of all choices. */
  readonly completionTokens: number;
  readonly cachedTokens: number;
  readonly reasoningTokens: number;
}

/**
 * New text of one choice, or the vector of one input. At least one of `content`, `reasoning`, `toolCalls`, `embedding` is
 * present and not empty.
 */
export interface DeltaEvent {
  readonly type: 'delta';
  /** Index of the choice, or of the input. */
  readonly choice: number;
  readonly content?: string;
  readonly reasoning?: string;
  readonly toolCalls?: readonly ToolCallDelta[];
  /** The whole vector of an input, of length 1. It comes alone. */
  readonly embedding?: Float32Array<ArrayBuffer>;
  /** Tokens of this piece, when the request asked for logprobs. */
  readonly logprobs?: readonly TokenLogprob[];
}

/**
 * What an engine says while it generates. Order: prefill, then deltas, one finish per choice, done. Where embeddings are
 * computed: for each batch prefill and its deltas, then done.
 */
export type GenerationEvent =
  | { readonly type: 'prefill' }
  | DeltaEvent
  | { readonly type: 'finish'; readonly choice: number; readonly reason: FinishReason }
  | { readonly type: 'done'; readonly usage: Usage };

/**
 * What a subscriber of a request sees: waiting (`queued`, `loading`, any number of times), then the
 * engine's own events. `done` and `error` are terminal; exactly one of them ends every log.
 */
export type CompletionEvent =
  /**
   * The first event of a completion that can be joined later. `created` is in seconds since 1970. `answerId` is the id
   * under which the answer is stored, whatever id was asked for; absent where it is not.
   */
  | { readonly type: 'begun'; readonly created: number; readonly answerId?: string }
  /** `position` counts the requests ahead, the running one included; 0 never appears. */
  | { readonly type: 'queued'; readonly position: number }
  /** `progress` is the share 0…1 of the model that is ready. */
  | { readonly type: 'loading'; readonly progress: number }
  | GenerationEvent
  | { readonly type: 'error'; readonly error: ApiErrorData };
