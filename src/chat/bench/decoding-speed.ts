import type { PieceTimes } from '../../shared/measuring/time-pieces.ts';

/**
 * Tokens per second of decoding, without the first token. On every side the last piece may hold several tokens.
 * @returns NaN for an answer of one piece, from which no time can be told.
 */
export function decodingSpeed({ first, last, pieces }: PieceTimes, tokens: number): number {
  return pieces < 2 ? Number.NaN : ((tokens - 1) / (last - first)) * 1000;
}
