import type { PieceTimes } from './time-pieces.ts';

/** Tokens a second once decoding runs, of an answer of so many. The last piece may hold several tokens on either side alike. */
export function decodingSpeed({ first, last }: PieceTimes, tokens: number): number {
  return ((tokens - 1) / (last - first)) * 1000;
}
