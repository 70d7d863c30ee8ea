import { charactersOf } from './character-set.ts';
import { choice, repeat, rule, sequence, text, type Expression } from './grammar.ts';

/** White space: a space, or a line feed with a usual indentation. A model must not write it without end. */
export const GAP: readonly [name: string, Expression] = [
  'json_gap',
  choice(text(' '), sequence(text('\n'), repeat({ kind: 'set', set: charactersOf('\t ') }, 0, 16))),
];

/**
 * Between two parts of JSON. The grammar package xgrammar (0.1.27) loses what stands between two places that share a rule
 * which may be empty, so the rule is never empty.
 */
export const OPTIONAL_GAP: Expression = choice(text(''), rule(GAP[0]));

/** Between two items or members. */
export const SEPARATOR = sequence(OPTIONAL_GAP, text(','), OPTIONAL_GAP);

/** Characters that a JSON string has as they are. */
const UNESCAPED: Expression = {
  kind: 'set',
  set: [
    [0x20, 0x21],
    [0x23, 0x5b],
    [0x5d, 0xd7ff],
    [0xe000, 0x10_ffff],
  ],
};

/** Any character of a JSON string, escaped or not. Each escape stands for a whole character. */
export const CHARACTER: readonly [name: string, Expression] = ['json_character', anyCharacter()];

/**
 * A character of a string whose characters are counted. Other escapes double the time to compile, and only control characters
 * need them.
 */
export const COUNTED_CHARACTER: Expression = choice(UNESCAPED, sequence(text('\\'), oneOf('"\\/bfnrt')));

/** A string that nothing restricts, from after its first quotation mark: read character by character, it needs few rules. */
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
