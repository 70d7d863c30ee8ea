const ESCAPED = '\\\\[dDwWsSnrtfv\\^$.*+?()\\[\\]{}|/\\\\]';
const CLASS = `\\[\\^?(?:a-z|A-Z|0-9|a-f|A-F|[ !"#$%&'()*+,./0-9:;<=>?@A-Z_a-z{|}~]|${ESCAPED})+\\]`;
const ATOM = `[ !"#%&',./0-9:;<=>@A-Z_a-z~\\-]|${ESCAPED}|${CLASS}`;
const QUANTIFIER = '(?:(?:[*+?]|\\{\\d{1,3},?\\})\\??)?';

/** The regular expressions whose groups are nested at most `depth` levels deep. */
function expressions(depth: number): string {
  const group = depth === 0 ? '' : `|\\((?:\\?:)?${expressions(depth - 1)}\\)`;
  const alternative = `(?:[\\^$]|(?:${ATOM}${group})${QUANTIFIER})*`;
  return `${alternative}(?:\\|${alternative})*`;
}

/**
 * ECMA-262 in ASCII, with groups in two levels, the usual ranges of characters, and neither look-around nor references.
 */
export const REGEX = expressions(2);
