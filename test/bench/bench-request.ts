import type { PieceTimes } from './time-pieces.ts';

/** One generation of the comparison: greedy and always to the limit, so that both sides do the same work. */
export interface BenchRequest {
  readonly prompt: string;
  /** Tokens to generate. */
  readonly tokens: number;
}

/** What the direct engine's worker answers; null is its answer when it was only asked to load. */
export type DirectReply = { readonly value: PieceTimes | null } | { readonly error: string };

/** What the comparing page found: for each pair the direct engine's times and the endpoint's. */
export type ComparisonReport =
  | { readonly tokens: number; readonly pairs: readonly (readonly [PieceTimes, PieceTimes])[] }
  | { readonly error: string };
