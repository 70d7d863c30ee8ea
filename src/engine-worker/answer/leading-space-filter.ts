import { PieceBuffer, type Piece } from './piece-buffer.ts';

/**
 * Drops white space before the first letter of a text. It comes from chat templates rather than from the model: a template
 * writes a line feed or a space between the header of a turn and its text, and models repeat it.
 */
export class LeadingSpaceFilter {
  #hasBegun = false;

  push(piece: Piece): readonly Piece[] {
    if (this.#hasBegun) return [piece];
    const blank = piece.text.length - piece.text.trimStart().length;
    if (blank === piece.text.length) return [];
    this.#hasBegun = true;
    const buffer = new PieceBuffer();
    buffer.push(piece);
    buffer.take(blank);
    return buffer.take(piece.text.length - blank);
  }
}
