import type { TokenLogprob, TopLogprob } from '../../../shared/engine/completion-event.ts';
import type { EngineLogprob, PipelineTokenizer } from '../pipeline/webllm-pipeline.ts';
import { countReplacements, isWhole, spellingOf, TokenSpellings, type TokenSpelling } from './token-spelling.ts';

/** Stands for minus infinity, which JSON cannot represent. */
const MIN_LOGPROB = -9999;

/**
 * What WebLLM's object reports about a running answer. Members are absent if this version of WebLLM does not expose
 * them.
 */
export interface AnswerPipeline {
  readonly tokenizer?: PipelineTokenizer;
  readonly outputIds?: readonly number[];
  readonly tokenLogprobArray?: readonly EngineLogprob[];
}

/**
 * The tokens of a running answer, read from WebLLM's object. WebLLM's stream is incomplete: it has no log-probability
 * for a token that ends inside a character, and only that of the last token when the character is complete.
 */
export class AnswerTokens {
  readonly #pipeline: AnswerPipeline;
  readonly #spellings: TokenSpellings | null;
  /** Number of tokens whose log-probabilities have been returned. */
  #told = 0;

  constructor(pipeline: AnswerPipeline) {
    this.#pipeline = pipeline;
    const { tokenizer } = pipeline;
    this.#spellings = tokenizer ? new TokenSpellings(tokenizer) : null;
  }

  /**
   * Counts the characters U+FFFD that the model itself has written so far. In the answer's text, incomplete characters
   * look the same.
   */
  get replacements(): number {
    const { outputIds = [] } = this.#pipeline;
    return countReplacements(outputIds.flatMap((id) => this.#spellings?.of(id).bytes ?? []));
  }

  /**
   * Returns the log-probabilities of the tokens that added `text` to the answer; none while that is empty.
   * @param most Number of alternatives (`top_logprobs`) that the request wants.
   */
  logprobsOf(text: string, most: number): TokenLogprob[] {
    const { outputIds = [], tokenLogprobArray = [] } = this.#pipeline;
    if (text === '') return [];
    const ids = outputIds.slice(this.#told);
    const entries = tokenLogprobArray.slice(this.#told);
    this.#told = outputIds.length;
    return ids.map((id, index) => {
      // With some tokenizers a token loses its leading space when it is decoded alone. So if the text is one whole
      // token, that text is used.
      const vocabulary = this.#spellings?.of(id) ?? spellingOf(text);
      const own = ids.length === 1 && isWhole(vocabulary.bytes) ? spellingOf(text) : vocabulary;
      return tokenLogprob(own, vocabulary, entries[index], most);
    });
  }
}

function tokenLogprob(
  own: TokenSpelling,
  vocabulary: TokenSpelling,
  entry: EngineLogprob | undefined,
  most: number,
): TokenLogprob {
  if (entry === undefined) return { ...topLogprob(own, MIN_LOGPROB), topLogprobs: [] };
  const topLogprobs = entry.top_logprobs.slice(0, most).map(({ token, bytes, logprob }) => {
    const spelling = bytes ? { token, bytes } : spellingOf(token);
    return topLogprob(isSame(spelling, vocabulary) ? own : spelling, logprob);
  });
  return { ...topLogprob(own, entry.logprob), topLogprobs };
}

function topLogprob({ token, bytes }: TokenSpelling, logprob: number): TopLogprob {
  return { token, logprob: Number.isFinite(logprob) ? logprob : MIN_LOGPROB, bytes };
}

function isSame(one: TokenSpelling, other: TokenSpelling): boolean {
  return one.token === other.token && one.bytes.join() === other.bytes.join();
}
