/**
 * An escape, a character class, a quantifier, or a bracket that stands for itself. An unclosed class extends to the end, so
 * that it is not searched again.
 */
const PIECES = /\\[pPu]\{[^}]*\}|\\[^]|\[(?:\\[^]|[^\]\\])*\]?|\{\d+(?:,\d*)?\}|[\]{}]/gu;

/** An escaped character that has no meaning of its own, so that the flag `u` forbids to escape it. */
const NEEDLESS_ESCAPE = /^\\(?=[^\w^$\\.*+?()[\]{}|/-]|_)/u;

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
 * `\@` or `\"`, and a bracket that closes nothing stands for itself; many patterns are written so.
 */
export function unicodePattern(pattern: string): string {
  return pattern.replace(PIECES, (piece) => {
    if (piece === '\\-') return '-';
    if (piece === ']' || piece === '{' || piece === '}') return `\\${piece}`;
    return piece.startsWith('{') ? piece : piece.replace(/\\[^]/gu, (escape) => escape.replace(NEEDLESS_ESCAPE, ''));
  });
}
