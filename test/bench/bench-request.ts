import type { DecodingMode } from './decoding-modes.ts';
import type { PieceTimes } from './time-pieces.ts';

/** One generation on either side: fields of a chat completion that both take alike. */
export interface BenchRequest {
  readonly messages: readonly { readonly role: 'user' | 'assistant'; readonly content: string }[];
  readonly max_tokens: number;
  readonly temperature: number;
  /** Takes tokens away; without the one that ends a turn both sides write as much as they may. */
  readonly logit_bias?: Readonly<Record<string, number>>;
}

/** What the direct engine's worker is asked for; without a request, only for the model. */
export interface DirectCall {
  readonly request: BenchRequest | null;
  /** Whether WebLLM forgets its last conversation first. */
  readonly reset: boolean;
}

/** What the direct engine's worker answers; null is its answer when it was only asked to load. `begun` comes with the first piece. */
export type DirectReply = { readonly begun: true } | { readonly value: PieceTimes | null } | { readonly error: string };

/** How many tokens each answer of {@link ComparisonReport} has. */
export const COMPARED_TOKENS = 128;

/**
 * Pairs of each round of the comparison: single answers differ by a tenth on a shared machine, the two sides by a few
 * hundredths, so that it takes more than a hundred to tell.
 */
export const PAIRS_PER_ROUND = 15;

/** What the comparing page found: for each pair the direct engine's times and the endpoint's. */
export interface ComparisonReport {
  readonly pairs: readonly (readonly [PieceTimes, PieceTimes])[];
}

/** Milliseconds to the first token of each turn of a conversation. */
type Turns = readonly number[];

/** How many turns each of these has. */
export const TURNS = 10;

/** A conversation in which both sides have as much to read in each turn. */
export interface BothTurns {
  /** With WebLLM by itself. */
  readonly direct: Turns;
  readonly endpoint: Turns;
}

/** What the page that measures conversations found. */
export interface TurnsRound {
  /** Two conversations; of each turn, the side that had it first in one had it second in the other. */
  readonly pairs: readonly [BothTurns, BothTurns];
  /** Milliseconds to the first token of the last turn, where two conversations took turns through the endpoint. */
  readonly alternating: number;
  /** … and of the turn after that, after a third conversation. */
  readonly afterThird: number;
}

/** One answer on each side. */
export interface BothTimes {
  readonly direct: PieceTimes;
  readonly endpoint: PieceTimes;
}

/** What the page that measures ways of decoding found in one round. */
export type ModesRound = Readonly<Record<DecodingMode, BothTimes>>;

export interface ModesReport {
  readonly rounds: readonly ModesRound[];
  /** One as long as an answer of the built-in model can be. */
  readonly long: BothTimes;
}
