import { MAX_LEVELS } from './schema-depth.ts';

/** Nobody writes longer ones; regular expressions that read millions of characters run out of stack. */
const MOST_CHARACTERS = 10_000;

/**
 * An escaped character, or a character class: what else looks special inside them is not. A class that nobody closes
 * is taken to the end, lest each bracket in it be tried as its beginning.
 */
const ESCAPES_AND_CLASSES = /\\[^]|\[(?:\\[^]|[^\]\\])*\]?/gu;

/** Word boundaries and references to groups; Unicode properties; classes that are empty or hold bare control characters. */
const UNSUPPORTED_PIECE = /^\\[bBk1-9]|\\[pP]|^\[\]$|^\[.*[^\P{Cc}\t]/su;

/** A pattern in which every character that looks special is so: escapes and classes are written as a dot. */
export function plainPattern(pattern: string): string {
  return pattern.replace(ESCAPES_AND_CLASSES, '.');
}

const LOOKAROUND = /\(\?<?[=!]/;
const EMPTY_ALTERNATIVE = /(^|\(|\(\?:|\(\?<[^>]+>|\|)\||\|($|\))/;

/**
 * What makes a pattern unusable, as the rest of a sentence that begins with the pattern; null when it is
 * a regular expression (ECMA-262, with Unicode) of the kind that a grammar can follow.
 */
export function findPatternProblem(pattern: string): string | null {
  if (pattern.length > MOST_CHARACTERS) return `is longer than ${MOST_CHARACTERS} characters`;
  const unsupported = pattern.match(ESCAPES_AND_CLASSES)?.find((piece) => UNSUPPORTED_PIECE.test(piece));
  const plain = plainPattern(pattern);
  // Before the browser parses it: at each reference to a group it goes up through all groups around that.
  if (groupDepth(plain) > MAX_LEVELS) return `nests its groups more than ${MAX_LEVELS} levels deep`;
  try {
    void new RegExp(pattern, 'u');
  } catch {
    return 'is not a regular expression';
  }
  if (unsupported !== undefined) return `uses \`${unsupported}\`, which is not supported`;
  if (LOOKAROUND.test(plain)) return 'looks ahead or behind, which is not supported';
  if (EMPTY_ALTERNATIVE.test(plain)) return 'has an empty alternative, which is not supported';
  return null;
}

/** @param plain A pattern in which every parenthesis is that of a group; it need not be well-formed. */
function groupDepth(plain: string): number {
  let depth = 0;
  let deepest = 0;
  for (const character of plain) {
    if (character === '(') deepest = Math.max(deepest, ++depth);
    else if (character === ')') depth--;
  }
  return deepest;
}
