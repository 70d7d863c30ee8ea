const REPLACEMENT = '\u{FFFD}';
const TRAILING_REPLACEMENTS = /\u{FFFD}+$/u;

/**
 * Turns the growing text of a generation into additions that never have to be revised.
 *
 * WebLLM detokenizes the whole answer for each new token. A character whose bytes span several tokens decodes to U+FFFD
 * until its last token arrives. With byte-fallback tokenizers, the complete characters beside it may become U+FFFD as
 * well for that time. So U+FFFD at the end of the text is held back, and bytes that never form a character are dropped.
 */
export class StableText {
  #given = '';

  /**
   * Returns the text that can no longer change and was not returned before; possibly empty.
   * @param text The whole text generated so far.
   */
  advance(text: string): string {
    const certain = text.replace(TRAILING_REPLACEMENTS, '');
    if (certain.length <= this.#given.length) return '';
    const added = certain.slice(this.#given.length);
    this.#given = certain;
    return added.replaceAll(REPLACEMENT, '');
  }
}
