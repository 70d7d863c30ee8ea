import type { TokenLogprob } from '../../shared/engine/completion-event.ts';
import { partialMarkLength } from '../tools/call-syntax/partial-mark.ts';
import { cutLogprob } from './cut-logprob.ts';

/**
 * The text that one or more generated tokens added, or a slice of it. Filters may split a piece but never merge pieces.
 */
export interface Piece {
  readonly text: string;
  /**
   * The log-probability entry of each token in this piece, if the request wants them. A character of several tokens has
   * several entries.
   */
  readonly logprobs: readonly TokenLogprob[];
}

export function pieceText(pieces: readonly Piece[]): string {
  return pieces.map(({ text }) => text).join('');
}

/** A queue of pieces that a filter holds back. The filter can take any number of characters from its front. */
export class PieceBuffer {
  #pieces: Piece[] = [];
  #text = '';

  get text(): string {
    return this.#text;
  }

  /**
   * Returns the text without a suffix that may be the beginning of one of `markers`: only further text can decide that.
   * Pieces are not cut as in {@link uncut}.
   */
  certainText(markers: readonly string[]): string {
    return this.#text.slice(0, this.uncut(this.#text.length - partialMarkLength(this.#text, markers)));
  }

  /**
   * Returns the largest length up to `length` that cuts no piece with log-probabilities, so that the entry of a token is
   * not reported twice.
   */
  uncut(length: number): number {
    let end = 0;
    for (const { text, logprobs } of this.#pieces) {
      if (end + text.length > length) return logprobs.length > 0 ? end : length;
      end += text.length;
    }
    return end;
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
        const [front, rest] = splitPiece(piece, missing);
        taken.push(front);
        this.#pieces.unshift(rest);
        break;
      }
      taken.push(piece);
      missing -= piece.text.length;
    }
    this.#text = this.#text.slice(length);
    return taken;
  }
}

/**
 * If the text is one token, each half gets the token's entry, cut to its text. If it is several tokens, the front gets
 * all entries.
 */
function splitPiece({ text, logprobs }: Piece, at: number): [front: Piece, rest: Piece] {
  const [front, rest] = [text.slice(0, at), text.slice(at)];
  const [only] = logprobs;
  if (only === undefined || logprobs.length > 1)
    return [
      { text: front, logprobs },
      { text: rest, logprobs: [] },
    ];
  return [
    { text: front, logprobs: [cutLogprob(only, front)] },
    { text: rest, logprobs: [cutLogprob(only, rest)] },
  ];
}
