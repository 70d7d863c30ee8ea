import type { TokenLogprob } from '../../../shared/engine/completion-event.ts';

/** The text that one generated token added, or a slice of it. Filters may split a piece but never merge pieces. */
export interface Piece {
  readonly text: string;
  readonly logprob: TokenLogprob | null;
}

export function pieceText(pieces: readonly Piece[]): string {
  return pieces.map(({ text }) => text).join('');
}

/** A queue of pieces that a filter holds back. Any number of characters can be taken from its front. */
export class PieceBuffer {
  #pieces: Piece[] = [];
  #text = '';

  get text(): string {
    return this.#text;
  }

  /** The text without a suffix that may be the beginning of one of `markers`. More text decides about that suffix. */
  certainText(markers: readonly string[]): string {
    return this.#text.slice(0, this.#text.length - possibleStartLength(this.#text, markers));
  }

  push(piece: Piece): void {
    if (piece.text === '') return;
    this.#pieces.push(piece);
    this.#text += piece.text;
  }

  /** Removes the first `length` UTF-16 units and returns them. */
  take(length: number): Piece[] {
    const taken: Piece[] = [];
    for (let missing = length; missing > 0;) {
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

/** Length of the longest suffix of `text` that is an incomplete beginning of one of `markers`. */
function possibleStartLength(text: string, markers: readonly string[]): number {
  const longest = Math.max(0, ...markers.map(({ length }) => length - 1));
  for (let length = Math.min(longest, text.length); length > 0; length--) {
    const end = text.slice(-length);
    if (markers.some((marker) => marker.length > length && marker.startsWith(end))) return length;
  }
  return 0;
}
