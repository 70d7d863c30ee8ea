const REPLACEMENT = '\u{FFFD}';
const TRAILING_REPLACEMENTS = /\u{FFFD}+$/u;

/**
 * Converts the growing text of a generation to additions that never have to be revised.
 *
 * WebLLM detokenizes the whole answer for each new token. A character whose bytes span several tokens decodes to U+FFFD
 * until its last token arrives. With byte-fallback tokenizers, the complete characters beside it may become U+FFFD as
 * well for that time. So U+FFFD at the end of the text is held back. Bytes that never form a character are dropped.
 * U+FFFD is kept if the model wrote it itself.
 */
export class StableText {
  #given = '';

  /**
   * Returns the text that can no longer change and was not returned before; possibly empty.
   * @param text The whole text generated so far.
   * @param countWritten Counts the characters U+FFFD that the model wrote. Default: it wrote none.
   */
  advance(text: string, countWritten: () => number = () => 0): string {
    const replacements = text.split(REPLACEMENT).length - 1;
    const areWritten = replacements > 0 && replacements === countWritten();
    const certain = areWritten ? text : text.replace(TRAILING_REPLACEMENTS, '');
    if (certain.length <= this.#given.length) return '';
    const added = certain.slice(this.#given.length);
    this.#given = certain;
    return areWritten ? added : added.replaceAll(REPLACEMENT, '');
  }
}
