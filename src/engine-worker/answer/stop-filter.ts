import { PieceBuffer, type Piece } from './piece-buffer.ts';

/**
 * Passes text through up to the earliest stop sequence, and holds back a suffix that may become one. The stop sequences
 * are not passed to WebLLM, because it would emit the first tokens of a stop sequence before it recognizes the whole
 * sequence.
 */
export class StopFilter {
  readonly #stops: readonly string[];
  readonly #held = new PieceBuffer();
  #found: string | null = null;

  constructor(stops: readonly string[]) {
    this.#stops = stops.filter((stop) => stop !== '');
  }

  /** Whether a stop sequence was found. The filter then discards all further text. */
  get stopped(): boolean {
    return this.#found !== null;
  }

  /**
   * The stop sequence that was found; null if none was. If several begin at the same place, it is the first in the
   * list.
   */
  get found(): string | null {
    return this.#found;
  }

  push(piece: Piece): Piece[] {
    if (this.stopped) return [];
    this.#held.push(piece);
    const { text } = this.#held;
    let end = -1;
    for (const stop of this.#stops) {
      const at = text.indexOf(stop);
      if (at < 0 || (this.#found !== null && at >= end)) continue;
      end = at;
      this.#found = stop;
    }
    if (this.#found !== null) return this.#held.take(end);
    return this.#held.take(this.#held.certainText(this.#stops).length);
  }

  /**
   * Ends the filter after the end of the text. Returns the text that was held back, because it did not become a stop
   * sequence.
   */
  end(): Piece[] {
    return this.stopped ? [] : this.#held.take(this.#held.text.length);
  }
}
