import { choice, rule, sequence, text, type Expression } from '../expressions/grammar.ts';
import { COUNTED_CHARACTER, STRING_REST } from './json-parts.ts';

/** Returns a reference to the rule for a key. Makes the rule when the key is used for the first time. */
export type ShareRule = (key: string, make: () => Expression) => Expression;

/**
 * Limit of the characters of a JSON string between `minLength` and `maxLength` that are counted one by one. For each of
 * them xgrammar tests the whole vocabulary: 0.1 s with 80,000 tokens. Rules are shared, so each schema pays once.
 */
const MAX_CHAIN = 64;

/**
 * Number of characters in a block. Longer strings are counted in blocks, which share their rules: counting 200
 * characters one by one takes xgrammar minutes. The price: during decoding xgrammar must test which tokens may cross
 * the end of a block, 0.1 s for such a token.
 */
const BLOCK = 16;

/** Returns the rest of a JSON string of `min` to `max` characters, after its first quotation mark. */
export function countedText(min: number, max: number, share: ShareRule): Expression {
  return sequence(exactly(min, share), max === Infinity ? rule(STRING_REST[0]) : atMost(max - min, share));
}

function exactly(count: number, share: ShareRule): Expression {
  const level = levelOf(count);
  const size = BLOCK ** level;
  if (count < size) return text('');
  return sequence(block(level, share), exactly(count - size, share));
}

/** At most `count` characters, and the closing quotation mark. */
function atMost(count: number, share: ShareRule): Expression {
  return share(`at most ${count}`, () => {
    if (count === 0) return text('"');
    if (count <= MAX_CHAIN) return choice(text('"'), sequence(COUNTED_CHARACTER, atMost(count - 1, share)));
    const level = levelOf(count);
    const size = BLOCK ** level;
    return choice(atMost(size - 1, share), sequence(block(level, share), atMost(count - size, share)));
  });
}

/**
 * Returns a block of a level: level 0 is one character, level 1 a block of characters, level 2 a block of such blocks.
 */
function block(level: number, share: ShareRule): Expression {
  if (level === 0) return COUNTED_CHARACTER;
  return share(`block ${level}`, () => sequence(...Array.from({ length: BLOCK }, () => block(level - 1, share))));
}

/** Returns the level of the largest block that has at most `count` characters. */
function levelOf(count: number): number {
  let level = 0;
  while (BLOCK ** (level + 1) <= count) level++;
  return level;
}
