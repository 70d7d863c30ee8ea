import { PieceBuffer, type Piece } from './piece.ts';

/**
 * Lets text through up to the earliest occurrence of any stop text, and holds back what may still become
 * one. WebLLM's own handling sends pieces before a stop text of several tokens is complete, so it is never
 * told about stop texts.
 */
export class StopFilter {
  readonly #stops: readonly string[];
  readonly #held = new PieceBuffer();
  #stopped = false;

  constructor(stops: readonly string[]) {
    this.#stops = stops.filter((stop) => stop !== '');
  }

  /** Whether a stop text has come: nothing more will be let through. */
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

  /** Nothing follows: what was held back did not become a stop text. */
  end(): Piece[] {
    return this.#stopped ? [] : this.#held.take(this.#held.text.length);
  }
}
