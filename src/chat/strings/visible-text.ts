/**
 * Matches a character that a browser does not draw: control and format characters such as those that reverse the
 * direction of text, separators of lines, halves of surrogate pairs, fillers, tags and variation selectors. Those named
 * one by one are letters and symbols to Unicode, but blank: a Braille pattern without dots, a filler of the Khitan
 * script, two Egyptian blanks, and a note without a head. Tabs and line breaks are drawn.
 */
const HIDDEN = String.raw`(?!\r\n|[\n\t])[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800\u{16FE4}\u{13441}\u{13442}\u{1D159}]`;

const HIDDEN_ONLY = new RegExp(HIDDEN, 'gu');

const EMOJI_OR_HIDDEN = emojiOrHidden();

/**
 * Also matches each emoji that Unicode recommends (RGI), because some consist of hidden characters too. A browser that
 * cannot tell these from other sequences (Chrome before version 112, Safari before 17) gets no such exception.
 */
function emojiOrHidden(): RegExp {
  try {
    return new RegExp(String.raw`\p{RGI_Emoji}|(?<hidden>${HIDDEN})`, 'gv');
  } catch {
    return HIDDEN_ONLY;
  }
}

/** A part of a text. `code` is the code point, such as `U+202E`, if the part is one hidden character; otherwise null. */
interface TextPart {
  readonly text: string;
  readonly code: string | null;
}

/**
 * Splits a text at the characters that a browser does not draw. Such characters can make a program or a question look
 * like another one (CVE-2021-42574). The parts together are the text.
 * @param keepsEmoji Whether the hidden characters within an emoji stay. Default: true.
 */
export function splitAtHidden(text: string, keepsEmoji = true): readonly TextPart[] {
  const parts: TextPart[] = [];
  let at = 0;
  for (const { 0: found, index, groups } of text.matchAll(keepsEmoji ? EMOJI_OR_HIDDEN : HIDDEN_ONLY)) {
    if (groups !== undefined && groups['hidden'] === undefined) continue;
    if (index > at) parts.push({ text: text.slice(at, index), code: null });
    parts.push({ text: found, code: `U+${found.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}` });
    at = index + found.length;
  }
  if (at < text.length) parts.push({ text: text.slice(at), code: null });
  return parts;
}

/**
 * Returns a text with its hidden characters written out, such as `⟨U+202E⟩`.
 * @param keepsEmoji Whether those within an emoji stay. False for what somebody is asked to allow. Default: true.
 */
export function visibleText(text: string, keepsEmoji = true): string {
  return splitAtHidden(text, keepsEmoji)
    .map((part) => (part.code === null ? part.text : `⟨${part.code}⟩`))
    .join('');
}
