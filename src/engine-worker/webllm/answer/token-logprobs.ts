import type { TokenLogprob, TopLogprob } from '../../../shared/engine/completion-event.ts';
import type { EngineLogprob } from '../pipeline/webllm-pipeline.ts';
import type { Piece } from './piece.ts';

/** Stands for minus infinity, which JSON cannot say. */
const LEAST_LOGPROB = -9999;
const encoder = new TextEncoder();

/**
 * The entry for a token that added `text`. Where WebLLM's stream has none, since the token's character was
 * not complete, the probability is unknown and told as the least.
 *
 * @param most How many alternatives the request asked for.
 */
export function pieceLogprob(text: string, entry: EngineLogprob | undefined, most: number): TokenLogprob {
  if (entry === undefined) return { ...logprobOf(text, LEAST_LOGPROB), topLogprobs: [] };
  const topLogprobs = entry.top_logprobs.slice(0, most).map((top) => logprobOf(top.token, top.logprob));
  return { ...logprobOf(entry.token, entry.logprob), topLogprobs };
}

/**
 * The entries of some pieces. WebLLM decodes each token by itself, which loses leading spaces with some
 * tokenizers and shows a split character as U+FFFD; so the token's text is what it added to the content,
 * and the joined tokens equal the content. A character of several tokens has the entry of the last one:
 * WebLLM's stream tells nothing about the others.
 */
export function pieceLogprobs(pieces: readonly Piece[]): TokenLogprob[] {
  return pieces.flatMap(({ text, logprob }) => {
    if (logprob === null || text === '') return [];
    const own = logprobOf(text, logprob.logprob);
    const topLogprobs = logprob.topLogprobs.map((top) => (top.token === logprob.token ? { ...own } : top));
    return [{ ...own, topLogprobs }];
  });
}

function logprobOf(token: string, logprob: number): TopLogprob {
  return {
    token,
    logprob: Number.isFinite(logprob) ? logprob : LEAST_LOGPROB,
    bytes: [...encoder.encode(token)],
  };
}
