import { PieceBuffer, type Piece } from './piece.ts';

export interface ThinkingMarkers {
  readonly open: string;
  readonly close: string;
}

export interface ThinkingPart {
  readonly channel: 'reasoning' | 'content';
  readonly pieces: readonly Piece[];
}

/**
 * Separates thinking text from the answer. White space around a block of thinking belongs to neither, so
 * an empty block leaves no trace.
 */
export class ThinkingSplitter {
  readonly #markers: ThinkingMarkers;
  readonly #held = new PieceBuffer();
  #thinking: boolean;
  /** White space at the front is dropped in this state. */
  #front: boolean;

  /** @param thinking Whether the prompt ends inside a block of thinking. */
  constructor(markers: ThinkingMarkers, thinking: boolean) {
    this.#markers = markers;
    this.#thinking = thinking;
    this.#front = thinking;
  }

  get thinking(): boolean {
    return this.#thinking;
  }

  push(piece: Piece): ThinkingPart[] {
    this.#held.push(piece);
    const parts: ThinkingPart[] = [];
    for (;;) {
      const marker = this.#thinking ? this.#markers.close : this.#markers.open;
      const at = this.#held.text.indexOf(marker);
      if (at < 0) {
        this.#release(parts, this.#held.text.length - this.#undecidedLength(marker));
        return parts;
      }
      const before = this.#held.text.slice(0, at);
      this.#release(parts, before.trimEnd().length);
      this.#held.take(this.#held.text.indexOf(marker) + marker.length);
      this.#thinking = !this.#thinking;
      this.#front = true;
    }
  }

  /** Nothing follows. White space that still waited was the end of the answer, or of the thinking. */
  end(): ThinkingPart[] {
    const parts: ThinkingPart[] = [];
    const { text } = this.#held;
    this.#release(parts, this.#thinking ? text.trimEnd().length : text.length);
    return parts;
  }

  /** The end that may be white space before a marker, or a marker's beginning. */
  #undecidedLength(marker: string): number {
    return this.#held.text.length - this.#held.certainText([marker]).trimEnd().length;
  }

  #release(parts: ThinkingPart[], length: number): void {
    if (this.#front) {
      const blank = this.#held.text.length - this.#held.text.trimStart().length;
      this.#held.take(Math.min(blank, length));
      length = Math.max(0, length - blank);
    }
    if (length === 0) return;
    this.#front = false;
    parts.push({ channel: this.#thinking ? 'reasoning' : 'content', pieces: this.#held.take(length) });
  }
}
