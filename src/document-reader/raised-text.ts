/** The mark of superscript or subscript text; empty for other text. */
export type Raise = '' | '^' | '_';

/** Tells which mark stands before a text, so that a raised 6 after 10 does not make it 106. */
export class RaisedText {
  /** Of the text that comes next. */
  raise: Raise = '';
  #last: Raise = '';

  /** Returns the mark to write before a text: one for pieces of text that follow each other. */
  before(text: string): Raise {
    if (this.raise === this.#last || (this.raise !== '' && text.trim() === '')) return '';
    this.#last = this.raise;
    return this.raise;
  }

  /** Begins a new paragraph. */
  restart(): void {
    this.#last = '';
  }
}
