import { MOST_LEVELS } from './schema-depth.ts';

/** An escaped character, or a character class: what else looks special inside them is not. */
const ESCAPES_AND_CLASSES = /\\[^]|\[(?:\\[^]|[^\]\\])*\]/gu;

/** Word boundaries and references to groups; Unicode properties; classes that are empty or hold bare control characters. */
const UNSUPPORTED_PIECE = /^\\[bBk1-9]|\\[pP]|^\[\]$|^\[.*[^\P{Cc}\t]/su;

const LOOKAROUND = /\(\?<?[=!]/;
const EMPTY_ALTERNATIVE = /(^|\(|\(\?:|\(\?<[^>]+>|\|)\||\|($|\))/;

/**
 * What makes a pattern unusable, as the rest of a sentence that begins with the pattern; null when it is
 * a regular expression (ECMA-262, with Unicode) of the kind that a grammar can follow.
 */
export function findPatternProblem(pattern: string): string | null {
  try {
    void new RegExp(pattern, 'u');
  } catch {
    return 'is not a regular expression';
  }
  const unsupported = pattern.match(ESCAPES_AND_CLASSES)?.find((piece) => UNSUPPORTED_PIECE.test(piece));
  if (unsupported !== undefined) return `uses \`${unsupported}\`, which is not supported`;
  const plain = pattern.replace(ESCAPES_AND_CLASSES, '.');
  if (LOOKAROUND.test(plain)) return 'looks ahead or behind, which is not supported';
  if (EMPTY_ALTERNATIVE.test(plain)) return 'has an empty alternative, which is not supported';
  return groupDepth(plain) > MOST_LEVELS ? `nests its groups more than ${MOST_LEVELS} levels deep` : null;
}

/** @param plain A pattern in which every parenthesis is that of a group. */
function groupDepth(plain: string): number {
  let depth = 0;
  let deepest = 0;
  for (const character of plain) {
    if (character === '(') deepest = Math.max(deepest, ++depth);
    else if (character === ')') depth--;
  }
  return deepest;
}
