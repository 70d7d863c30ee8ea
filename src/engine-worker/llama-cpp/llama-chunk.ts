import type {
  DeltaEvent,
  FinishReason,
  TokenLogprob,
  TopLogprob,
  Usage,
} from '../../shared/engine/completion-event.ts';

interface LlamaLogprob {
  readonly token: string;
  readonly logprob: number | null;
  readonly bytes?: readonly number[] | null;
}

/** The used fields of a chunk of llama.cpp's stream, for chats (`delta`) and for text completions (`text`). */
export interface LlamaChunk {
  readonly choices: readonly {
    readonly delta?: {
      readonly content?: string | null;
      readonly reasoning_content?: string | null;
    };
    readonly text?: string;
    readonly finish_reason: string | null;
    readonly logprobs?: {
      readonly content?: readonly (LlamaLogprob & { readonly top_logprobs?: readonly LlamaLogprob[] })[] | null;
    } | null;
  }[];
  /** Tokens of the prompt; `processed` includes those in the `cache`. */
  readonly prompt_progress?: { readonly cache: number; readonly processed: number } | null;
  readonly usage?: {
    readonly prompt_tokens: number;
    readonly completion_tokens: number;
    readonly prompt_tokens_details?: { readonly cached_tokens?: number };
  } | null;
}

/** Translates the chunks of one choice into events. */
export class ChunkReader {
  readonly #choice: number;
  readonly #topLogprobs: number;
  /** Of tokens whose text has not arrived, such as the first bytes of a character. */
  #logprobs: TokenLogprob[] = [];
  reason: FinishReason = 'stop';
  usage: Usage = { promptTokens: 0, completionTokens: 0, cachedTokens: 0, reasoningTokens: 0 };

  /**
   * @param choice Index of the choice in the response.
   * @param topLogprobs Limit of alternatives that are reported for each token.
   */
  constructor(choice: number, topLogprobs: number) {
    this.#choice = choice;
    this.#topLogprobs = topLogprobs;
  }

  /** @returns the chunk's piece of the answer; null if it has none. */
  read({ choices: [piece], usage }: LlamaChunk): DeltaEvent | null {
    if (usage) this.usage = toUsage(usage);
    if (piece === undefined) return null;
    const { delta, text, finish_reason: reason, logprobs } = piece;
    if (reason !== null) this.reason = reason === 'length' ? 'length' : 'stop';
    this.#logprobs.push(...(logprobs?.content ?? []).map((token) => toLogprob(token, this.#topLogprobs)));
    const content = delta?.content ?? text ?? '';
    const reasoning = delta?.reasoning_content ?? '';
    if (content === '' && reasoning === '') return null;
    const known = this.#logprobs;
    this.#logprobs = [];
    return {
      type: 'delta',
      choice: this.#choice,
      ...(content !== '' && { content }),
      ...(reasoning !== '' && { reasoning }),
      ...(known.length > 0 && { logprobs: known }),
    };
  }
}

function toUsage({ prompt_tokens, completion_tokens, prompt_tokens_details }: NonNullable<LlamaChunk['usage']>): Usage {
  return {
    promptTokens: prompt_tokens,
    completionTokens: completion_tokens,
    cachedTokens: prompt_tokens_details?.cached_tokens ?? 0,
    // llama.cpp counts them with the others.
    reasoningTokens: 0,
  };
}

function toLogprob(
  { top_logprobs = [], ...token }: LlamaLogprob & { readonly top_logprobs?: readonly LlamaLogprob[] },
  topLogprobs: number,
): TokenLogprob {
  return { ...toTopLogprob(token), topLogprobs: top_logprobs.slice(0, topLogprobs).map(toTopLogprob) };
}

/** JSON has no minus infinity. */
function toTopLogprob({ token, logprob, bytes }: LlamaLogprob): TopLogprob {
  return {
    token,
    logprob: Math.max(logprob ?? -9999, -9999),
    bytes: bytes ?? [...new TextEncoder().encode(token)],
  };
}
