import type { TokenLogprob, TopLogprob } from '../../shared/engine/completion-event.ts';

const encoder = new TextEncoder();

/** Shortens the log-probability entry of a token to the part of its text that belongs to the answer. */
export function cutLogprob(entry: TokenLogprob, text: string): TokenLogprob {
  const part = { token: text, bytes: [...encoder.encode(text)] };
  const isSame = ({ token, bytes }: TopLogprob) => token === entry.token && bytes.join() === entry.bytes.join();
  const topLogprobs = entry.topLogprobs.map((top) => (isSame(top) ? { ...top, ...part } : top));
  return { ...entry, ...part, topLogprobs };
}
