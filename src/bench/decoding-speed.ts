import type { PieceTimes } from '../shared/measuring/time-chunks.ts';

/**
 * Returns the decoding speed in tokens per second, without the first token. Pieces cannot stand for tokens, because the
 * last piece may contain several.
 * @returns NaN for an answer of one piece, whose decoding time is unknown.
 */
export function decodingSpeed({ first, last, pieces }: PieceTimes, tokens: number): number {
  return pieces < 2 ? Number.NaN : ((tokens - 1) / (last - first)) * 1000;
}
