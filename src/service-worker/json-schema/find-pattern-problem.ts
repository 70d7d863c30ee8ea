import { patternExpression } from '../../shared/json-schema/unicode-pattern.ts';
import { MAX_LEVELS } from './schema-depth.ts';

/**
 * Limit of a pattern's length: the expressions in this file overflow the stack on patterns of millions of characters.
 */
const MAX_CHARACTERS = 10_000;

/**
 * An escape or a character class, in which other special characters are literal. An unclosed class extends to the end;
 * otherwise the search would try each further bracket as a start, in quadratic time.
 */
const ESCAPES_AND_CLASSES = /\\[pP]\{[^}]*\}|\\[^]|\[(?:\\[^]|[^\]\\])*\]?/gu;

/** Word boundaries and back-references. */
const UNSUPPORTED_PIECE = /^\\[bBk1-9]/u;

/** Replaces escapes and classes by a dot, so that every remaining special character is an operator. */
export function plainPattern(pattern: string): string {
  return pattern.replace(ESCAPES_AND_CLASSES, '.');
}

const LOOKBEHIND = /\(\?<[=!]/;

/**
 * Returns why the grammar compiler does not support a pattern, which must be a regular expression of ECMA-262.
 * @returns the rest of a sentence whose subject is the pattern; null if the pattern is supported.
 */
export function findPatternProblem(pattern: string): string | null {
  if (pattern.length > MAX_CHARACTERS) return `is longer than ${MAX_CHARACTERS} characters`;
  const unsupported = pattern.match(ESCAPES_AND_CLASSES)?.find((piece) => UNSUPPORTED_PIECE.test(piece));
  const plain = plainPattern(pattern);
  // Checked before the browser parses the pattern: for each back-reference the browser's parser visits all enclosing
  // groups, which takes quadratic time.
  if (groupDepth(plain) > MAX_LEVELS) return `nests its groups more than ${MAX_LEVELS} levels deep`;
  try {
    void patternExpression(pattern);
  } catch {
    return 'is not a regular expression';
  }
  if (unsupported !== undefined) return `uses \`${unsupported}\`, which is not supported`;
  if (LOOKBEHIND.test(plain)) return 'looks behind, which is not supported';
  return null;
}

/**
 * Returns how deeply the groups of a pattern are nested.
 * @param plain A result of {@link plainPattern}; it need not be well-formed.
 */
function groupDepth(plain: string): number {
  let depth = 0;
  let deepest = 0;
  for (const character of plain) {
    if (character === '(') deepest = Math.max(deepest, ++depth);
    else if (character === ')') depth--;
  }
  return deepest;
}
