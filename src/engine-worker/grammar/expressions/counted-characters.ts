import { choice, sequence, type Expression } from './grammar.ts';

/** Returns a reference to the rule for a key. Makes the rule when the key is used for the first time. */
export type ShareRule = (key: string, make: () => Expression) => Expression;

export interface CountedCharacters {
  readonly character: Expression;
  /** What follows the last character. */
  readonly end: Expression;
  /** Any number of characters, and the end. */
  readonly rest: Expression;
  /** The most characters between the limits that are counted one by one, not in blocks; at least 16. */
  readonly mostSingle: number;
}

/**
 * Number of characters in a block. Long texts are counted in blocks, which share their rules, so that the size of the
 * grammar grows with the logarithm of the length. The price: during decoding xgrammar must test which tokens may cross the
 * end of a block, 0.1 s for such a token.
 */
export const BLOCK = 16;

/** Returns the expression for `min` to `max` characters and the end. */
export function countedCharacters(of: CountedCharacters, min: number, max: number, share: ShareRule): Expression {
  return sequence(exactly(min), max === Infinity ? of.rest : atMost(max - min));

  // Single characters come first, then blocks of increasing levels, so that different counts share most rules.
  function exactly(count: number): Expression {
    if (count <= BLOCK) return sequence(...Array.from({ length: count }, () => of.character));
    return share(`exactly ${count}`, () => {
      const level = levelOf(count);
      return sequence(block(level), exactly(count - BLOCK ** level));
    });
  }

  /** At most `count` characters, and the end. */
  function atMost(count: number): Expression {
    return share(`at most ${count}`, () => {
      if (count === 0) return of.end;
      const level = count <= of.mostSingle ? 0 : levelOf(count);
      if (level === 0) return choice(of.end, sequence(of.character, atMost(count - 1)));
      const size = BLOCK ** level;
      return choice(atMost(size - 1), sequence(block(level), atMost(count - size)));
    });
  }

  /** Returns a block of a level: level 0 is one character, level 1 a block of characters, level 2 a block of such blocks. */
  function block(level: number): Expression {
    if (level === 0) return of.character;
    return share(`block ${level}`, () => sequence(...Array.from({ length: BLOCK }, () => block(level - 1))));
  }
}

/** Returns the level of the largest block of which a number is a multiple. */
function levelOf(count: number): number {
  let level = 0;
  while (count % BLOCK ** (level + 1) === 0) level++;
  return level;
}
