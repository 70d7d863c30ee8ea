import { indexOfAny } from '../tools/call-syntax/index-of-any.ts';
import { PieceBuffer, type Piece } from './piece-buffer.ts';

/**
 * Passes text through up to a tool call that the model writes without having tools. A call is recognized by its marker
 * at the beginning of a line; a marker within a line is text about calls.
 *
 * The marker cannot be prevented by forbidding tokens, because most small models write it with ordinary tokens.
 */
export class StrayCallFilter {
  readonly #marks: readonly string[];
  readonly #held = new PieceBuffer();
  /** Whether only blanks were passed through since the last line feed. */
  #isLineBlank = true;
  #found = false;

  /** @param marks Texts by which a call is recognized. */
  constructor(marks: readonly string[]) {
    this.#marks = marks;
  }

  /** Whether a call was found. The filter then discards all further text. */
  get found(): boolean {
    return this.#found;
  }

  push(piece: Piece): Piece[] {
    if (this.#found) return [];
    this.#held.push(piece);
    const { text } = this.#held;
    for (let at = indexOfAny(text, this.#marks); at >= 0; at = indexOfAny(text, this.#marks, at + 1)) {
      if (!this.#isBlankAfter(text.slice(0, at))) continue;
      this.#found = true;
      return this.#held.take(at);
    }
    return this.#pass(this.#held.certainText(this.#marks).length);
  }

  /**
   * Ends the filter after the end of the text. Returns the text that was held back, because it did not become a call.
   */
  end(): Piece[] {
    return this.#found ? [] : this.#pass(this.#held.text.length);
  }

  #pass(length: number): Piece[] {
    this.#isLineBlank = this.#isBlankAfter(this.#held.text.slice(0, length));
    return this.#held.take(length);
  }

  /** Whether the last line is blank after this further text. */
  #isBlankAfter(text: string): boolean {
    const start = text.lastIndexOf('\n') + 1;
    return (start > 0 || this.#isLineBlank) && text.slice(start).trim() === '';
  }
}
