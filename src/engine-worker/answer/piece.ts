import type { TokenLogprob } from '../../shared/engine/completion-event.ts';
import { cutLogprob } from './cut-logprob.ts';

/** The text that one or more generated tokens added, or a slice of it. Filters may split a piece but never merge pieces. */
export interface Piece {
  readonly text: string;
  /** One entry for each of its tokens, if the request wants them. More than one for characters of several tokens. */
  readonly logprobs: readonly TokenLogprob[];
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

  /**
   * The text without a suffix that may be the beginning of one of `markers`. More text decides about that suffix. A token
   * with a log-probability is not split, since each has one entry.
   */
  certainText(markers: readonly string[]): string {
    const certain = this.#text.length - possibleStartLength(this.#text, markers);
    let end = 0;
    for (const { text, logprobs } of this.#pieces) {
      if (end + text.length > certain) return this.#text.slice(0, logprobs.length > 0 ? end : certain);
      end += text.length;
    }
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

/** Where one token has the text, each part has its entry, cut to the part. Where several have, the first part has them all. */
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

/** Length of the longest suffix of `text` that is an incomplete beginning of one of `markers`. */
function possibleStartLength(text: string, markers: readonly string[]): number {
  const longest = Math.max(0, ...markers.map(({ length }) => length - 1));
  for (let length = Math.min(longest, text.length); length > 0; length--) {
    const end = text.slice(-length);
    if (markers.some((marker) => marker.length > length && marker.startsWith(end))) return length;
  }
  return 0;
}
