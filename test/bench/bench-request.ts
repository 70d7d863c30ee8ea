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

/** What the comparing page found: for each pair the direct engine's times and the endpoint's. */
export type ComparisonReport =
  | { readonly tokens: number; readonly pairs: readonly (readonly [PieceTimes, PieceTimes])[] }
  | { readonly error: string };

/** Milliseconds to the first token of each turn of a conversation. */
type Turns = readonly number[];

/** What the page that measures conversations found in one round. */
export interface TurnsRound {
  /** A conversation in which both sides have as much to read in each turn: WebLLM by itself. */
  readonly direct: Turns;
  /** The same through the endpoint. */
  readonly endpoint: Turns;
  /** Milliseconds to the first token of the last turn, where two conversations took turns through the endpoint. */
  readonly alternating: number;
  /** … and of the turn after that, after a third conversation. */
  readonly afterThird: number;
}

export type TurnsReport = { readonly rounds: readonly TurnsRound[] } | { readonly error: string };

/** One answer on each side. */
export interface BothTimes {
  readonly direct: PieceTimes;
  readonly endpoint: PieceTimes;
}

/** What the page that measures ways of decoding found in one round. */
export type ModesRound = Readonly<Record<DecodingMode, BothTimes>>;

export type ModesReport =
  | { readonly tokens: number; readonly rounds: readonly ModesRound[]; readonly long: readonly BothTimes[] }
  | { readonly error: string };
