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
  readonly #isInCall: () => boolean;
  /** Whether text of the answer was released, after which a marker is text if thinking can stand only before it. */
  #hasContent = false;

  /**
   * @param thinking Whether the prompt ends inside a thinking block, so that the first generated text is reasoning.
   * @param onlyAtStart Whether the answer contains no thinking after its beginning: in JSON, a marker is part of a string.
   * Default: false.
   * @param isInCall Whether the content released so far ends inside a tool call, in which a marker is part of an argument.
   * Asked after each part that {@link push} yields. Default: never.
   */
  constructor(markers: ThinkingMarkers, thinking: boolean, onlyAtStart = false, isInCall = () => false) {
    this.#markers = markers;
    this.#thinking = thinking;
    this.#onlyAtStart = onlyAtStart;
    this.#isInCall = isInCall;
    this.#front = thinking;
  }

  get thinking(): boolean {
    return this.#thinking;
  }

  *push(piece: Piece): Generator<ThinkingPart, undefined> {
    this.#held.push(piece);
    while (yield* this.#advance());
    return undefined;
  }

  /** Releases the text up to the next marker, or takes that marker. Returns whether there may be another one. */
  *#advance(): Generator<ThinkingPart, boolean> {
    const { text } = this.#held;
    if (this.#hasContent || (!this.#thinking && this.#isInCall())) {
      yield* this.#release(text.length);
      return false;
    }
    const marker = this.#thinking ? this.#markers.close : this.#markers.open;
    const at = text.indexOf(marker);
    const before = text.slice(0, at).trimEnd();
    const isText = this.#onlyAtStart && !this.#thinking && before !== '';
    if (at < 0 || isText) {
      yield* this.#release(text.length - this.#undecidedLength(marker));
      return false;
    }
    if (before !== '') {
      // The marker is taken afterwards, unless a call has begun in the released text.
      yield* this.#release(before.length);
      return true;
    }
    this.#held.take(at + marker.length);
    this.#thinking = !this.#thinking;
    this.#front = true;
    return true;
  }

  /**
   * Ends the splitter after the end of the text. Returns the text held back; trailing white space is kept in content
   * only.
   */
  end(): ThinkingPart[] {
    const { text } = this.#held;
    return [...this.#release(this.#thinking ? text.trimEnd().length : text.length)];
  }

  /**
   * Returns the length of the suffix that must be held back: a possible beginning of `marker`, and white space before
   * it.
   */
  #undecidedLength(marker: string): number {
    return this.#held.text.length - this.#held.uncut(this.#held.certainText([marker]).trimEnd().length);
  }

  *#release(length: number): Generator<ThinkingPart, undefined> {
    if (this.#front) {
      const blank = this.#held.text.length - this.#held.text.trimStart().length;
      this.#held.take(Math.min(blank, length));
      length = Math.max(0, length - blank);
    }
    if (length === 0) return undefined;
    this.#front = false;
    this.#hasContent = this.#onlyAtStart && !this.#thinking && this.#held.text.slice(0, length).trim() !== '';
    yield { channel: this.#thinking ? 'reasoning' : 'content', pieces: this.#held.take(length) };
    return undefined;
  }
}
