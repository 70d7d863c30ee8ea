import { indexOfAny } from '../tools/call-syntax/index-of-any.ts';
import { PieceBuffer, type Piece } from './piece-buffer.ts';
import { mayBeginMark, placeAfter, TEXT_BEGIN } from './text-place.ts';

/**
 * Passes text through up to a tool call that the model writes without having tools. A call is recognized by its marker
 * at the beginning of a line; a marker within a line or in a block of code is text about calls.
 *
 * The marker cannot be prevented by forbidding tokens, because most small models write it with ordinary tokens.
 */
export class StrayCallFilter {
  readonly #marks: readonly string[];
  readonly #held = new PieceBuffer();
  /** Where the text that was passed through ends. */
  #place = TEXT_BEGIN;
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
      if (!mayBeginMark(placeAfter(this.#place, text.slice(0, at)))) continue;
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
    this.#place = placeAfter(this.#place, this.#held.text.slice(0, length));
    return this.#held.take(length);
  }
}
