import { PieceBuffer, type Piece } from './piece-buffer.ts';

export interface ThinkingMarkers {
  readonly open: string;
  readonly close: string;
}

export interface ThinkingPart {
  readonly channel: 'reasoning' | 'content';
  readonly pieces: readonly Piece[];
}

/**
 * Separates thinking blocks (`reasoning`) from the rest of the answer (`content`). White space around the markers of a
 * block is dropped, so an empty thinking block yields no part.
 */
export class ThinkingSplitter {
  readonly #markers: ThinkingMarkers;
  readonly #held = new PieceBuffer();
  #thinking: boolean;
  /** Whether a marker has ended and no text has followed yet. In that case leading white space is dropped. */
  #front: boolean;
  readonly #onlyAtStart: boolean;
  /** Whether text of the answer was released, after which a marker is text if thinking can stand only before it. */
  #hasContent = false;

  /**
   * @param thinking Whether the prompt ends inside a thinking block, so that the first generated text is reasoning.
   * @param onlyAtStart Whether the answer contains no thinking after its beginning: in JSON, a marker is part of a string.
   * Default: false.
   */
  constructor(markers: ThinkingMarkers, thinking: boolean, onlyAtStart = false) {
    this.#markers = markers;
    this.#thinking = thinking;
    this.#onlyAtStart = onlyAtStart;
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
      if (this.#hasContent) {
        this.#release(parts, this.#held.text.length);
        return parts;
      }
      const found = this.#held.text.indexOf(marker);
      const isText = this.#onlyAtStart && !this.#thinking && this.#held.text.slice(0, found).trim() !== '';
      const at = isText ? -1 : found;
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

  /**
   * Ends the splitter after the end of the text. Returns the text held back; trailing white space is kept in content
   * only.
   */
  end(): ThinkingPart[] {
    const parts: ThinkingPart[] = [];
    const { text } = this.#held;
    this.#release(parts, this.#thinking ? text.trimEnd().length : text.length);
    return parts;
  }

  /**
   * Returns the length of the suffix that must be held back: a possible beginning of `marker`, and white space before
   * it.
   */
  #undecidedLength(marker: string): number {
    return this.#held.text.length - this.#held.uncut(this.#held.certainText([marker]).trimEnd().length);
  }

  #release(parts: ThinkingPart[], length: number): void {
    if (this.#front) {
      const blank = this.#held.text.length - this.#held.text.trimStart().length;
      this.#held.take(Math.min(blank, length));
      length = Math.max(0, length - blank);
    }
    if (length === 0) return;
    this.#front = false;
    this.#hasContent = this.#onlyAtStart && !this.#thinking && this.#held.text.slice(0, length).trim() !== '';
    parts.push({ channel: this.#thinking ? 'reasoning' : 'content', pieces: this.#held.take(length) });
  }
}
