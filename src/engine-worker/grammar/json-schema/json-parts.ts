import { charactersOf } from '../regular-language/character-set.ts';
import { choice, repeat, rule, sequence, text, type Expression } from '../expressions/grammar.ts';

/**
 * Rule for white space: one space, or a line feed and up to 16 spaces and tabs. Without the limit a model might write
 * white space without end.
 */
export const GAP: readonly [name: string, Expression] = [
  'json_gap',
  choice(text(' '), sequence(text('\n'), repeat({ kind: 'set', set: charactersOf('\t ') }, 0, 16))),
];

/**
 * Optional white space between two parts of JSON. xgrammar 0.1.27 drops the part between two references to one rule
 * that may be empty. So the rule itself is never empty, and the choice with the empty text is repeated at each place.
 */
const OPTIONAL_GAP: Expression = choice(text(''), rule(GAP[0]));

/** The white space of JSON: inside brackets, and around commas and colons. */
export interface Spacing {
  /** After an opening bracket, and before a closing one. */
  readonly inside: Expression;
  /** A comma with the white space around it. */
  readonly comma: Expression;
  readonly colon: Expression;
}

/** Each gap may have white space. */
export const OPTIONAL_SPACING: Spacing = {
  inside: OPTIONAL_GAP,
  comma: sequence(OPTIONAL_GAP, text(','), OPTIONAL_GAP),
  colon: sequence(OPTIONAL_GAP, text(':'), OPTIONAL_GAP),
};

/**
 * One space after a comma or a colon and none elsewhere, as chat templates write the arguments of calls (Python's
 * `json.dumps`). A value then has one spelling, whose length does not depend on the white space that a model chooses.
 */
export const FIXED_SPACING: Spacing = { inside: text(''), comma: text(', '), colon: text(': ') };

/** The characters that may stand in a JSON string without an escape. */
const UNESCAPED: Expression = {
  kind: 'set',
  set: [
    [0x20, 0x21],
    [0x23, 0x5b],
    [0x5d, 0xd7ff],
    [0xe000, 0x10_ffff],
  ],
};

/**
 * Rule for any character of a JSON string. Each escape stands for a whole character, not for half of a surrogate pair.
 */
export const CHARACTER: readonly [name: string, Expression] = ['json_character', anyCharacter()];

/**
 * A character of a string whose length is limited. It allows only the short escapes: the others double xgrammar's time
 * to compile, and only control characters need them.
 */
export const COUNTED_CHARACTER: Expression = choice(UNESCAPED, sequence(text('\\'), oneOf('"\\/bfnrt')));

/** Rule for the rest of an unrestricted string, after its first quotation mark. */
export const STRING_REST: readonly [name: string, Expression] = [
  'json_string_rest',
  choice(text('"'), sequence(rule(CHARACTER[0]), rule('json_string_rest'))),
];

function anyCharacter(): Expression {
  const hex = oneOf('0123456789abcdefABCDEF');
  const [d, high, low] = [oneOf('dD'), oneOf('89abAB'), oneOf('cdefCDEF')];
  return choice(
    UNESCAPED,
    sequence(text('\\'), oneOf('"/\\bfnrt')),
    sequence(text('\\u'), oneOf('0123456789abcefABCEF'), hex, hex, hex),
    sequence(text('\\u'), d, oneOf('01234567'), hex, hex),
    sequence(text('\\u'), d, high, hex, hex, text('\\u'), d, low, hex, hex),
  );
}

function oneOf(characters: string): Expression {
  return { kind: 'set', set: charactersOf(characters) };
}
