const REPLACEMENT = '\u{FFFD}';
const TRAILING_REPLACEMENTS = /\u{FFFD}+$/u;

/**
 * Turns the growing text of a generation into pieces that never have to be taken back.
 *
 * WebLLM decodes all tokens anew for each one. A character whose bytes are spread over several tokens
 * shows as U+FFFD until the last of them has come, and with byte-fallback tokenizers it may drag complete
 * neighbours down with it for a while. So the end of the text is held back as long as it is U+FFFD, and
 * bytes that never become a character are dropped.
 */
export class StableText {
  #given = '';

  /**
   * @param text Everything generated so far.
   * @returns what has become certain; possibly nothing.
   */
  advance(text: string): string {
    const certain = text.replace(TRAILING_REPLACEMENTS, '');
    if (certain.length <= this.#given.length) return '';
    const added = certain.slice(this.#given.length);
    this.#given = certain;
    return added.replaceAll(REPLACEMENT, '');
  }
}
