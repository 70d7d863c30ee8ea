import { findMarks, type MarkSearch } from './find-marks.ts';

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

/**
 * Finds the citations in a text that grows. A mark that points to no passage stays a part of the text, and is no
 * citation.
 */
export class CitationFinder {
  readonly #passages: readonly GivenPassage[];
  readonly #search: MarkSearch = { at: 0, fence: '', ticks: 0, held: [], lastEnd: -1 };

  constructor(passages: readonly GivenPassage[]) {
    this.#passages = passages;
  }

  /**
   * Returns the citations that the last piece of the text completed. What decides whether a mark is one may follow it, such
   * as the address of a link.
   * @param text The whole text so far.
   * @param isComplete Whether nothing follows.
   */
  find(text: string, isComplete: boolean): FileCitation[] {
    if (this.#passages.length === 0) return [];
    return findMarks(this.#search, text, isComplete).flatMap(({ index, numbers }) =>
      numbers.flatMap((number) => {
        const passage = this.#passages[number - 1];
        if (passage === undefined) return [];
        const { file_id, filename } = passage;
        return [{ type: 'file_citation', file_id, filename, index } as const];
      }),
    );
  }
}
