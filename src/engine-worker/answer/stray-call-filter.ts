import { TOOL_CALL_OPEN } from '../tools/tool-syntax.ts';
import { PieceBuffer, type Piece } from './piece.ts';

/**
 * Passes text through up to a tool call that the model writes although it has no tools: the marker at the beginning of a line.
 * A marker within a line is text about calls, and passes.
 *
 * The text is filtered because most small models spell the marker with ordinary tokens, which must stay possible.
 */
export class StrayCallFilter {
  readonly #held = new PieceBuffer();
  /** The text since the last line feed that was passed through. */
  #line = '';
  #found = false;

  /** Whether a call was found. The filter then discards all further text. */
  get found(): boolean {
    return this.#found;
  }

  push(piece: Piece): Piece[] {
    if (this.#found) return [];
    this.#held.push(piece);
    const { text } = this.#held;
    for (let at = text.indexOf(TOOL_CALL_OPEN); at >= 0; at = text.indexOf(TOOL_CALL_OPEN, at + 1)) {
      if (!/(^|\n)[ \t]*$/.test(this.#line + text.slice(0, at))) continue;
      this.#found = true;
      return this.#held.take(at);
    }
    return this.#pass(this.#held.certainText([TOOL_CALL_OPEN]).length);
  }

  /** Call when the text has ended. Returns the text that was held back, since it did not become a call. */
  end(): Piece[] {
    return this.#found ? [] : this.#pass(this.#held.text.length);
  }

  #pass(length: number): Piece[] {
    this.#line = (this.#line + this.#held.text.slice(0, length)).split('\n').at(-1)!;
    return this.#held.take(length);
  }
}
