import type { PieceTimes } from './time-pieces.ts';

/** Tokens per second of decoding, without the first token. On both sides the last piece may hold several tokens. */
export function decodingSpeed({ first, last }: PieceTimes, tokens: number): number {
  return ((tokens - 1) / (last - first)) * 1000;
}
