import type { ArgumentNotation } from './notations/argument-notation.ts';

/** Characters that the model chooses and that say nothing about the call, such as those of an id. */
export interface Hole {
  /** The characters that it may have. */
  readonly characters: string;
  readonly min: number;
  readonly max: number;
}

/** A text that is always the same, or a hole in it. */
export type Part = string | Hole;

const DIGITS = '0123456789';
const LETTERS = 'abcdefghijklmnopqrstuvwxyz';

/** An id of nine letters and digits, as Mistral's models write it. */
export const SHORT_ID: Hole = { characters: LETTERS + LETTERS.toUpperCase() + DIGITS, min: 9, max: 9 };

/** The index of a call in the answer. */
export const INDEX: Hole = { characters: DIGITS, min: 1, max: 3 };

/**
 * How the models of a family write tool calls. Both the grammar that allows nothing but valid calls and the parser of
 * answers are derived from it. An answer with calls is:
 *
 * text, `open`, call, `separator`, call, …, `close`
 *
 * and a call is `before`, name, `after`, arguments, `end`.
 */
export interface CallSyntax {
  readonly family: string;
  /**
   * The text by which a call is recognized: a beginning of the first call that no other text of an answer contains. The
   * model may write free text until it writes this mark; then only a call can follow.
   */
  readonly mark: string;
  /** Whether calls are the whole answer, because an ordinary answer may contain the mark. Default: false. */
  readonly isWholeAnswer?: boolean;
  /** A text that the model may write before the first call. Default: none. */
  readonly mayBegin?: string;
  readonly open?: string;
  readonly before: readonly Part[];
  /** Whether the name is a JSON string with quotation marks, or written as it is. */
  readonly name: 'json' | 'plain';
  readonly after: readonly Part[];
  /** How arguments are written. Default: as JSON. */
  readonly notation?: ArgumentNotation;
  readonly end: readonly Part[];
  /** Null if an answer has one call at most. */
  readonly separator: string | null;
  readonly close?: string;
  /**
   * What a custom tool's call has in place of `after` and `end`, so that its input is plain text. Default: a custom tool is
   * called as a function with one string, {@link CUSTOM_INPUT}.
   */
  readonly plainInput?: { readonly after: string; readonly end: string };
}

/** The parameter of a custom tool's input where it is called as a function. */
export const CUSTOM_INPUT = 'input';
