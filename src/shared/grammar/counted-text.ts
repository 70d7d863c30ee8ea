import { choice, rule, sequence, text, type Expression } from './grammar.ts';
import { COUNTED_CHARACTER, STRING_REST } from './json-parts.ts';

/** Makes a rule the first time that its key comes up, and refers to it. */
export type ShareRule = (key: string, make: () => Expression) => Expression;

/**
 * The most characters that are counted one by one. xgrammar tests the whole vocabulary for each of them: 0.1 s with 80,000
 * tokens. Rules are shared, so one schema pays once.
 */
const LONGEST_CHAIN = 64;

/**
 * Characters of a block, by which longer strings are counted. The places of one block serve all others, where 200 characters one
 * by one take minutes. Which tokens may cross the end of a block, xgrammar tests while the model writes: 0.1 s for a token.
 */
const BLOCK = 16;

/** What follows the first quotation mark of a string of so many characters. */
export function countedText(min: number, max: number, share: ShareRule): Expression {
  return sequence(exactly(min, share), max === Infinity ? rule(STRING_REST[0]) : atMost(max - min, share));
}

function exactly(count: number, share: ShareRule): Expression {
  const level = levelOf(count);
  const size = BLOCK ** level;
  if (count < size) return text('');
  return sequence(block(level, share), exactly(count - size, share));
}

/** So many characters or fewer, and the closing mark. */
function atMost(count: number, share: ShareRule): Expression {
  return share(`at most ${count}`, () => {
    if (count === 0) return text('"');
    if (count <= LONGEST_CHAIN) return choice(text('"'), sequence(COUNTED_CHARACTER, atMost(count - 1, share)));
    const level = levelOf(count);
    const size = BLOCK ** level;
    return choice(atMost(size - 1, share), sequence(block(level, share), atMost(count - size, share)));
  });
}

/** A character, a block of them, a block of such blocks, and so on. */
function block(level: number, share: ShareRule): Expression {
  if (level === 0) return COUNTED_CHARACTER;
  return share(`block ${level}`, () => sequence(...Array.from({ length: BLOCK }, () => block(level - 1, share))));
}

/** The level of the largest block within so many characters. */
function levelOf(count: number): number {
  let level = 0;
  while (BLOCK ** (level + 1) <= count) level++;
  return level;
}
