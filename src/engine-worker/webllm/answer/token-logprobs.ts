import type { TokenLogprob, TopLogprob } from '../../../shared/engine/completion-event.ts';
import type { EngineLogprob } from '../pipeline/webllm-pipeline.ts';
import type { Piece } from './piece.ts';

/** Replaces minus infinity, which JSON cannot represent. */
const LEAST_LOGPROB = -9999;
const encoder = new TextEncoder();

/**
 * Converts WebLLM's log-probability entry for the token that added `text`. WebLLM has no entry while a character of
 * several tokens is incomplete; the log-probability is then {@link LEAST_LOGPROB}.
 *
 * @param most Number of alternatives (`top_logprobs`) that the request asked for.
 */
export function pieceLogprob(text: string, entry: EngineLogprob | undefined, most: number): TokenLogprob {
  if (entry === undefined) return { ...logprobOf(text, LEAST_LOGPROB), topLogprobs: [] };
  const topLogprobs = entry.top_logprobs.slice(0, most).map((top) => logprobOf(top.token, top.logprob));
  return { ...logprobOf(entry.token, entry.logprob), topLogprobs };
}

/**
 * The log-probabilities of the tokens in `pieces`. Each token's text is the text it added to the content, so the tokens
 * joined equal the content. WebLLM's own token texts do not: it decodes each token alone, which loses leading spaces
 * with some tokenizers. A character of several tokens has one entry, that of its last token.
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
