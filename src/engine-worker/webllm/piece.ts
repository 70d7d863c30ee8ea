import type { TokenLogprob } from '../../shared/completion-event.ts';

/** What one token added to the text. Filters cut pieces, never merge them. */
export interface Piece {
  readonly text: string;
  readonly logprob: TokenLogprob | null;
}

export function pieceText(pieces: readonly Piece[]): string {
  return pieces.map(({ text }) => text).join('');
}

/** Pieces waiting for a decision, cut at any character. */
export class PieceBuffer {
  #pieces: Piece[] = [];
  #text = '';

  get text(): string {
    return this.#text;
  }

  push(piece: Piece): void {
    if (piece.text === '') return;
    this.#pieces.push(piece);
    this.#text += piece.text;
  }

  /** Removes the first `length` UTF-16 units and returns them. */
  take(length: number): Piece[] {
    const taken: Piece[] = [];
    let missing = length;
    while (missing > 0) {
      const piece = this.#pieces.shift();
      if (piece === undefined) break;
      if (piece.text.length > missing) {
        this.#pieces.unshift({ ...piece, text: piece.text.slice(missing) });
        taken.push({ ...piece, text: piece.text.slice(0, missing) });
        break;
      }
      taken.push(piece);
      missing -= piece.text.length;
    }
    this.#text = this.#text.slice(length);
    return taken;
  }
}
