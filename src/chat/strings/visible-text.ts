/**
 * Matches an emoji of several characters, or one character that a browser does not draw: control and format characters
 * such as those that reverse the direction of text, separators of lines, halves of surrogate pairs, fillers, tags and
 * variation selectors. Tabs and line breaks are drawn.
 */
const EMOJI_OR_HIDDEN =
  /[\d#*]\uFE0F\u20E3|\p{Extended_Pictographic}\p{Emoji_Modifier}?\uFE0F?(?:\u200D\p{Extended_Pictographic}\p{Emoji_Modifier}?\uFE0F?)*|\r\n|(?![\n\t])[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/gu;

const HIDDEN = /^[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]$/u;

/** A part of a text. `code` is the code point, such as `U+202E`, if the part is one hidden character; otherwise null. */
interface TextPart {
  readonly text: string;
  readonly code: string | null;
}

/**
 * Splits a text at the characters that a browser does not draw. Such characters can make a program or a question look
 * like another one (CVE-2021-42574). The parts together are the text.
 */
export function splitAtHidden(text: string): readonly TextPart[] {
  const parts: TextPart[] = [];
  let at = 0;
  for (const { 0: found, index } of text.matchAll(EMOJI_OR_HIDDEN)) {
    if (!HIDDEN.test(found)) continue;
    if (index > at) parts.push({ text: text.slice(at, index), code: null });
    parts.push({ text: found, code: `U+${found.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}` });
    at = index + found.length;
  }
  if (at < text.length) parts.push({ text: text.slice(at), code: null });
  return parts;
}

/** Returns a text with its hidden characters written out, such as `⟨U+202E⟩`. */
export function visibleText(text: string): string {
  return splitAtHidden(text)
    .map((part) => (part.code === null ? part.text : `⟨${part.code}⟩`))
    .join('');
}

/** Whether a text has characters that {@link visibleText} writes out. */
export function hasHidden(text: string): boolean {
  return splitAtHidden(text).some(({ code }) => code !== null);
}
