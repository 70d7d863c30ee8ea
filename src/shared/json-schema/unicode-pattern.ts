/**
 * An escape, a character class, a quantifier, or a bracket that stands for itself. An unclosed class extends to the end, so
 * that it is not searched again.
 */
const PIECES = /\\[pPu]\{[^}]*\}|\\[^]|\[(?:\\[^]|[^\]\\])*\]?|\{\d+(?:,\d*)?\}|[\]{}]/gu;

/** A hyphen before a class of characters such as `\w`, or an escape with another hyphen behind it, if one is there. */
const ESCAPES = /\\[^](?:-(?!\\[dsw]))?|-(?=\\[dsw])/giu;

/** An escaped character that has no meaning of its own, so that the flag `u` forbids to escape it. */
const NEEDLESS_ESCAPE = /^\\(?=[^\w^$\\.*+?()[\]{}|/-]|_)/u;

/** A hyphen beside a class of characters, which makes no range. */
const HYPHEN = /^(\\[dsw])?-$/i;

/**
 * Returns the regular expression of a pattern, which may be written for the flag `u` or without it.
 * @param whole Whether it must match the whole text. Default: false, as in JSON Schema.
 * @throws SyntaxError if the pattern is none.
 */
export function patternExpression(pattern: string, whole = false): RegExp {
  const source = unicodePattern(pattern);
  return new RegExp(whole ? `^(?:${source})$` : source, 'u');
}

/**
 * Returns a pattern in the syntax of ECMA-262 with the flag `u`. Without the flag any punctuation mark may be escaped, as in
 * `\@` or `\"`, a bracket that closes nothing stands for itself, and so does the hyphen in `[\w-.]`; many patterns are written
 * so.
 */
export function unicodePattern(pattern: string): string {
  return pattern.replace(PIECES, (piece) => {
    if (piece === '\\-') return '-';
    if (']{}'.includes(piece)) return `\\${piece}`;
    return piece.replace(ESCAPES, (escape) => escape.replace(NEEDLESS_ESCAPE, '').replace(HYPHEN, '$1\\-'));
  });
}
