import { PieceBuffer, type Piece } from './piece.ts';

/**
 * Passes text through up to the earliest stop sequence, and holds back a suffix that may become one. WebLLM is not
 * given the stop sequences: it would emit the first tokens of a stop sequence before it recognizes the whole.
 */
export class StopFilter {
  readonly #stops: readonly string[];
  readonly #held = new PieceBuffer();
  #stopped = false;

  constructor(stops: readonly string[]) {
    this.#stops = stops.filter((stop) => stop !== '');
  }

  /** Whether a stop sequence was found. The filter then discards all further text. */
  get stopped(): boolean {
    return this.#stopped;
  }

  push(piece: Piece): Piece[] {
    if (this.#stopped) return [];
    this.#held.push(piece);
    const { text } = this.#held;
    const matches = this.#stops.map((stop) => text.indexOf(stop)).filter((at) => at >= 0);
    if (matches.length > 0) {
      this.#stopped = true;
      return this.#held.take(Math.min(...matches));
    }
    return this.#held.take(this.#held.certainText(this.#stops).length);
  }

  /** Call when the text has ended. Returns the text that was held back, since it did not become a stop sequence. */
  end(): Piece[] {
    return this.#stopped ? [] : this.#held.take(this.#held.text.length);
  }
}
