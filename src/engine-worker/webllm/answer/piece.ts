import type { TokenLogprob } from '../../../shared/engine/completion-event.ts';

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

  /** The text without an end with which one of `markers` may begin: that must be held back until more has come. */
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

/** Length of the longest end of `text` with which one of `markers` may begin without being complete. */
function possibleStartLength(text: string, markers: readonly string[]): number {
  const longest = Math.max(0, ...markers.map(({ length }) => length - 1));
  for (let length = Math.min(longest, text.length); length > 0; length--) {
    const end = text.slice(-length);
    if (markers.some((marker) => marker.length > length && marker.startsWith(end))) return length;
  }
  return 0;
}
