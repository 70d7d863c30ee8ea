import type { PieceTimes } from '../../shared/measuring/time-chunks.ts';

/**
 * Returns the decoding speed in tokens per second, without the first token. The last piece may contain several tokens.
 * @returns NaN for an answer of one piece, whose decoding time is unknown.
 */
export function decodingSpeed({ first, last, pieces }: PieceTimes, tokens: number): number {
  return pieces < 2 ? Number.NaN : ((tokens - 1) / (last - first)) * 1000;
}
