import type { DecodingMode } from './decoding-modes.ts';
import type { AnswerTimes } from '../../src/shared/measuring/time-chunks.ts';

/**
 * A bias with which both sides generate up to the token limit. It excludes the built-in model's control tokens (0 to 4;
 * 0 ends the turn) and `<` (32), which begins a tool call and would end the endpoint's answer.
 */
export const ENDLESS = { 0: -100, 1: -100, 2: -100, 3: -100, 4: -100, 32: -100 } as const;

/** Tokens in each answer of {@link ComparisonReport}. */
export const COMPARED_TOKENS = 128;

/**
 * Pairs per round of the comparison. Single answers vary by a tenth on a shared machine, but the two sides differ
 * by only a few hundredths, so more than a hundred pairs are needed.
 */
export const PAIRS_PER_ROUND = 15;

/** For each pair the times of the direct engine and of the endpoint. */
export interface ComparisonReport {
  readonly pairs: readonly (readonly [AnswerTimes, AnswerTimes])[];
}

/** Milliseconds to the first token of each turn. */
type Turns = readonly number[];

export const TURNS = 10;

export interface BothTurns {
  /** With WebLLM alone. */
  readonly direct: Turns;
  readonly endpoint: Turns;
}

/** Results of the page that measures conversations. */
export interface TurnsRound {
  /** Two conversations; the side that goes first in a turn of one goes second in the other. */
  readonly pairs: readonly [BothTurns, BothTurns];
  /** Milliseconds to the first token of the last turn of two conversations that alternate through the endpoint. */
  readonly alternating: number;
  /** Milliseconds to the first token of the turn after that, before which a third conversation was answered. */
  readonly afterThird: number;
}

export interface BothTimes {
  readonly direct: AnswerTimes;
  readonly endpoint: AnswerTimes;
}

/** One round of the page that measures decoding modes. */
export type ModesRound = Readonly<Record<DecodingMode, BothTimes>>;

export interface ModesReport {
  readonly rounds: readonly ModesRound[];
  /** The longest answer of the built-in model. */
  readonly long: BothTimes;
}
