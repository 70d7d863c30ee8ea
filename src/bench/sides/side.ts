import type { AnswerTimes } from '../../shared/measuring/time-chunks.ts';
import type { SideName } from '../../chat/types/bench-rows.ts';

/** Fields of a chat completion that every side accepts in the same form. */
export interface MeasuredRequest {
  readonly messages: readonly { readonly role: 'user' | 'assistant'; readonly content: string }[];
  readonly max_tokens: number;
  readonly temperature: number;
  readonly logit_bias?: Readonly<Record<string, number>>;
  readonly frequency_penalty?: number;
  readonly presence_penalty?: number;
  readonly logprobs?: boolean;
  readonly top_logprobs?: number;
  /** Each side converts the schema to its own `response_format`. */
  readonly schema?: object;
}

/** One of the compared ways to run a model. */
export interface Side {
  readonly name: SideName;
  /** Loads the model from this device. @throws if that fails; the signal's reason. */
  load(signal: AbortSignal): Promise<void>;
  /**
   * Generates an answer. The times are those at which pieces arrive in this page.
   * @param goesOn Whether the request continues the conversation of the previous one.
   */
  answer(request: MeasuredRequest, goesOn: boolean, signal: AbortSignal): Promise<AnswerTimes>;
  unload(): Promise<void>;
}
