import type { CompletionRequest } from '../../shared/engine/completion-request.ts';
import type { ModelEntry } from '../../shared/models/model-entry.ts';
import { answerDeltas } from '../answer/answer-deltas.ts';
import { AnswerReader } from '../answer/answer-reader.ts';
import { answerKind } from '../answer/answer-kind.ts';
import { secondAttempt } from '../answer/second-attempt.ts';
import { toolCallParserOf } from '../answer/tool-call-parser.ts';
import { HERMES } from '../tools/call-syntax/call-syntaxes.ts';
import { SEPARATOR, type ChatPlan } from './prompt/plan-chat.ts';
import { wholeCharacters } from './whole-characters.ts';
import type {
  DeltaEvent,
  FinishReason,
  PrefillEvent,
  TokenLogprob,
  TopLogprob,
  Usage,
} from '../../shared/engine/completion-event.ts';

interface LlamaLogprob {
  readonly id?: number;
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
  readonly prompt_progress?: { readonly total: number; readonly cache: number; readonly processed: number } | null;
  /** Tokens of the prompt: those in the cache, and the others; and those of the answer so far. */
  readonly timings?: { readonly cache_n?: number; readonly prompt_n?: number; readonly predicted_n?: number } | null;
  /** Values for debugging: the ids of the text's tokens. */
  readonly __verbose?: { readonly tokens?: readonly number[] };
  readonly usage?: {
    readonly prompt_tokens: number;
    readonly completion_tokens: number;
    readonly prompt_tokens_details?: { readonly cached_tokens?: number };
  } | null;
}

/** Converts the chunks of one choice to events. */
export class ChunkReader {
  readonly #choice: number;
  readonly #request: CompletionRequest;
  readonly #isAllContent: boolean;
  readonly #answer: AnswerReader;
  /** Log-probabilities of tokens whose text has not arrived, such as the first bytes of a character. */
  #logprobs: TokenLogprob[] = [];
  #isCut = false;
  #isStoppedByToken = false;
  /** As far as the chunks tell, until llama.cpp reports the usage at the end. It does not count reasoning tokens. */
  usage: Usage = { promptTokens: 0, completionTokens: 0, cachedTokens: 0, reasoningTokens: 0 };

  readonly #hasSeparators: boolean;
  #isPromptTold = false;

  /**
   * @param choice Index of the choice in the response.
   * @param plan How the answer to a conversation is read; null for a text completion.
   * @param turnEnds Texts that end the answer, as the end of the model's turn does.
   */
  constructor(choice: number, request: CompletionRequest, plan: ChatPlan | null, turnEnds: readonly string[]) {
    this.#choice = choice;
    this.#request = request;
    this.#hasSeparators = plan?.hasSeparators === true;
    const syntax = plan?.syntax ?? HERMES;
    const kind = answerKind(request);
    // If llama.cpp renders the prompt, it takes all text of a constrained answer for thinking where the prompt opens it.
    this.#isAllContent = plan?.prompt === null && kind.hasFormat;
    this.#answer = new AnswerReader({
      templateStops: turnEnds,
      stops: request.stop.map(wholeCharacters),
      thinking: plan?.thinking ?? null,
      tools: toolCallParserOf(request, syntax),
      syntax: plan?.strayCalls ?? HERMES,
      separator: this.#hasSeparators ? SEPARATOR : null,
      ...kind,
    });
  }

  get reason(): FinishReason {
    if (this.isStuck || (this.#isCut && !this.isComplete)) return 'length';
    return this.#answer.hasCalls ? 'tool_calls' : 'stop';
  }

  /** The stop sequence of the request that ended the answer; null if none did. */
  get stopSequence(): string | null {
    return this.#answer.stopSequence;
  }

  get hasLogprobs(): boolean {
    return this.#request.logprobs;
  }

  get isStuck(): boolean {
    return this.#answer.isStuck;
  }

  /**
   * The request to generate in place of this choice, which has no text; null if the choice stands. See
   * {@link secondAttempt}.
   */
  again(model: ModelEntry): CompletionRequest | null {
    return secondAttempt(this.#request, this.#answer, model);
  }

  /** Whether the answer is complete, even if the model would continue. */
  get isComplete(): boolean {
    return this.#answer.complete || this.#isStoppedByToken;
  }

  *read(chunk: LlamaChunk): Generator<DeltaEvent | PrefillEvent> {
    const {
      choices: [piece],
      usage,
      timings,
      __verbose: verbose,
    } = chunk;
    const prompt = promptOf(chunk);
    if (prompt !== null && !this.#isPromptTold) {
      this.#isPromptTold = true;
      this.usage = { ...this.usage, ...prompt };
      if (this.#choice === 0) yield { type: 'prefill', prompt };
    }
    if (usage) this.usage = { ...this.usage, ...toUsage(usage) };
    // With a limit of no tokens, llama.cpp still writes one.
    if (this.#request.maxTokens === 0) {
      this.usage = { ...this.usage, completionTokens: 0 };
      this.#isCut = true;
      return;
    }
    if (piece === undefined || this.isComplete) return;
    const { delta, text, finish_reason: reason, logprobs } = piece;
    if (reason !== null) this.#isCut = reason === 'length';
    const { topLogprobs: most, stopTokens, logprobs: reportsLogprobs } = this.#request;
    const tokens = logprobs?.content ?? [];
    const ids = verbose?.tokens ?? tokens.map(({ id }) => id);
    if (ids.some((id) => id !== undefined && stopTokens.includes(id))) {
      this.#isStoppedByToken = true;
      this.#isCut = false;
      return;
    }
    if (reportsLogprobs) this.#logprobs.push(...tokens.map((token) => toLogprob(token, most)));
    let content = delta?.content ?? text ?? '';
    let reasoning = delta?.reasoning_content ?? '';
    if (this.#hasSeparators) reasoning = reasoning.replaceAll(SEPARATOR, '');
    if (this.#isAllContent) [content, reasoning] = [reasoning + content, ''];
    if (content === '' && reasoning === '') return;
    const known = this.#logprobs;
    this.#logprobs = [];
    if (reasoning !== '') {
      this.#answer.noteReasoning(reasoning);
      yield { type: 'delta', choice: this.#choice, reasoning, ...(content === '' && withLogprobs(known)) };
    }
    const parts = content === '' ? [] : this.#answer.push({ text: content, logprobs: known });
    // Without the number, as if each chunk had one token.
    const total = timings?.predicted_n ?? this.usage.completionTokens + 1;
    if (!usage) this.#count(total, reasoning !== '' || this.#answer.thinking);
    yield* answerDeltas(parts, this.#choice);
  }

  /** @param total The tokens of the answer so far. */
  #count(total: number, isReasoning: boolean): void {
    const { completionTokens: before, reasoningTokens } = this.usage;
    const more = isReasoning ? Math.max(0, total - before) : 0;
    this.usage = { ...this.usage, completionTokens: total, reasoningTokens: reasoningTokens + more };
  }

  /** Ends the answer after llama.cpp has stopped. @returns the text that was held back. */
  end(): Generator<DeltaEvent> {
    return answerDeltas(this.#answer.end(this.#isCut), this.#choice);
  }
}

function withLogprobs(logprobs: readonly TokenLogprob[]): Pick<DeltaEvent, 'logprobs'> {
  return logprobs.length > 0 ? { logprobs } : {};
}

function toUsage({
  prompt_tokens,
  completion_tokens,
  prompt_tokens_details,
}: NonNullable<LlamaChunk['usage']>): Omit<Usage, 'reasoningTokens'> {
  return {
    promptTokens: prompt_tokens,
    completionTokens: completion_tokens,
    cachedTokens: prompt_tokens_details?.cached_tokens ?? 0,
  };
}

function toLogprob(
  { top_logprobs = [], ...token }: LlamaLogprob & { readonly top_logprobs?: readonly LlamaLogprob[] },
  topLogprobs: number,
): TokenLogprob {
  return { ...toTopLogprob(token), topLogprobs: top_logprobs.slice(0, topLogprobs).map(toTopLogprob) };
}

/** Converts a log-probability. Minus infinity, which JSON does not have, becomes −9999. */
function toTopLogprob({ token, logprob, bytes }: LlamaLogprob): TopLogprob {
  return {
    token,
    logprob: Math.max(logprob ?? -9999, -9999),
    bytes: bytes ?? [...new TextEncoder().encode(token)],
  };
}

/**
 * Returns the length of the prompt as a chunk reports it; null if it does not. While a long prompt is prefilled, its
 * timings count the tokens so far, so its progress is read instead.
 */
function promptOf({ prompt_progress: progress, timings }: LlamaChunk): NonNullable<PrefillEvent['prompt']> | null {
  if (progress) return { promptTokens: progress.total, cachedTokens: progress.cache };
  if (timings?.prompt_n === undefined) return null;
  const { prompt_n: others, cache_n: cachedTokens = 0 } = timings;
  return { promptTokens: others + cachedTokens, cachedTokens };
}
