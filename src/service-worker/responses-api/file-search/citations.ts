/** A passage that was given to the model. Its number in marks is its place in the list, counted from 1. */
export interface GivenPassage {
  readonly file_id: string;
  readonly filename: string;
}

/** An annotation of the OpenAI API. */
export interface FileCitation extends GivenPassage {
  readonly type: 'file_citation';
  /** Where the mark begins in the text, in UTF-16 code units. */
  readonly index: number;
}

/** A mark such as `[1]`, `[1, 2]` or `【1】`. */
const MARK = /\[(\d{1,2}(?:, ?\d{1,2}){0,7})\]|【(\d{1,2})】/g;

/** The most characters that a mark has. */
const MAX_MARK = 32;

/**
 * Finds the marks in a text that grows, and the passages to which they point. A mark that points to no passage stays a part
 * of the text, and is no citation.
 */
export class CitationFinder {
  readonly #passages: readonly GivenPassage[];
  /** Where the part of the text begins in which no mark was found yet. */
  #start = 0;

  constructor(passages: readonly GivenPassage[]) {
    this.#passages = passages;
  }

  /**
   * Returns the citations of the marks that the last piece of the text completed.
   * @param text The whole text so far.
   * @param added Length of the last piece.
   */
  find(text: string, added: number): FileCitation[] {
    if (this.#passages.length === 0) return [];
    const from = Math.max(this.#start, text.length - added - MAX_MARK);
    const citations: FileCitation[] = [];
    for (const mark of text.slice(from).matchAll(MARK)) {
      const index = from + mark.index;
      this.#start = index + mark[0].length;
      const numbers = (mark[1] ?? mark[2] ?? '').split(',').map(Number);
      for (const number of new Set(numbers)) {
        const passage = this.#passages[number - 1];
        if (passage === undefined) continue;
        const { file_id, filename } = passage;
        citations.push({ type: 'file_citation', file_id, filename, index });
      }
    }
    return citations;
  }
}
