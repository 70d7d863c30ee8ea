/** The first two characters of control tokens, by the list of these. */
const known = new WeakMap<readonly string[], ReadonlySet<string>>();

/** Gemma has thousands of control tokens. At most places of a text, also of HTML, none of them can begin. */
function beginningsOf(texts: readonly string[]): ReadonlySet<string> {
  const made = known.get(texts) ?? new Set(texts.map((text) => text.slice(0, 2)));
  known.set(texts, made);
  return made;
}

/**
 * Splits a text of the request so that no piece contains the text of a control token. Tokenized separately, the pieces
 * reach the model as plain characters. Otherwise a message could end its own turn or begin a system message. The joined
 * pieces equal the text. A control token of a single character cannot be split.
 * @param texts Texts of the control tokens, longest first.
 */
export function cutControlTokens(text: string, texts: readonly string[]): string[] {
  const pieces: string[] = [];
  const beginnings = beginningsOf(texts);
  let start = 0;
  for (let position = 0; position < text.length; position++) {
    if (!beginnings.has(text.slice(position, position + 2)) && !beginnings.has(text.charAt(position))) continue;
    const marker = texts.find((candidate) => text.startsWith(candidate, position));
    if (marker === undefined) continue;
    const cut = position + String.fromCodePoint(marker.codePointAt(0) ?? 0).length;
    if (cut === position + marker.length) continue;
    pieces.push(text.slice(start, cut));
    start = cut;
  }
  pieces.push(text.slice(start));
  return pieces;
}
