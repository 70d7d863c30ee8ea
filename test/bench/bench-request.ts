import type { PieceTimes } from './time-pieces.ts';

/** One generation of the comparison: greedy and always to the limit, so that both sides do the same work. */
export interface BenchRequest {
  readonly prompt: string;
  /** Tokens to generate. */
  readonly tokens: number;
}

/** What the direct engine's worker answers; null is its answer when it was only asked to load. */
export type DirectReply = { readonly value: PieceTimes | null } | { readonly error: string };
