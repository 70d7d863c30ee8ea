import { PieceBuffer, pieceText, type Piece } from './piece-buffer.ts';
import { mayBeginMark, placeAfter, TEXT_BEGIN } from './text-place.ts';

export interface ThinkingMarkers {
  readonly open: string;
  readonly close: string;
  /** Markers around an answer that follows thinking. They are no part of it. Default: none. */
  readonly answer?: { readonly open: string; readonly close: string };
}

export interface ThinkingPart {
  readonly channel: 'reasoning' | 'content';
  readonly pieces: readonly Piece[];
}

/** What stands between thinking and an answer of a format, or nothing does. Further white space belongs to the answer. */
export const FORMAT_GAP = '\n\n';

/** How an answer with thinking is read. */
export interface ThinkingOptions {
  /** Whether the prompt ends inside a thinking block, so that the first generated text is reasoning. */
  readonly open: boolean;
  /**
   * Whether the answer has a format, such as JSON. Of the white space after its thinking, only an empty line is dropped,
   * which is no part of it. Default: false.
   */
  readonly hasFormat?: boolean;
  /** Whether the answer contains no thinking after its beginning. A later marker is text. Default: if it has a format. */
  readonly onlyAtStart?: boolean;
  /** Whether a grammar follows the first marker that ends thinking, even a quoted one. Default: if the answer has a format. */
  readonly hasGrammar?: boolean;
  /**
   * Whether the content released so far ends inside a tool call, in which a marker is part of an argument. Asked after
   * each part that {@link ThinkingSplitter.push} yields. Default: never.
   */
  readonly isInCall?: () => boolean;
}

/** Matches markers of letters. A model also writes them where it explains them; others are tokens of its own. */
const TAG = /^[<[]\/?[\w:]+[>\]]$/;

/** Marks around a quoted marker. */
const QUOTES = ['"', '`'];

/** Whether the marker that opens thinking may be text within a line of an answer, in prose about such markers. */
export function mayBeText({ open }: ThinkingMarkers): boolean {
  return TAG.test(open) || /^\w/.test(open);
}

/**
 * Separates thinking blocks (`reasoning`) from the rest of the answer (`content`). White space around the markers of a
 * block is dropped, except before one within the answer, so an empty thinking block yields no part.
 */
export class ThinkingSplitter {
  readonly #markers: ThinkingMarkers;
  readonly #held = new PieceBuffer();
  #thinking: boolean;
  /** Whether a marker has ended and no text has followed yet. In that case leading white space is dropped. */
  #front: boolean;
  readonly #hasFormat: boolean;
  readonly #onlyAtStart: boolean;
  readonly #hasGrammar: boolean;
  readonly #isInCall: () => boolean;
  /** Whether the marker before the answer may follow, or was found; the one after the answer is then left out. */
  #frame: 'none' | 'expected' | 'open' = 'none';
  /** Whether visible text of the answer was released. */
  #hasContent = false;
  /** Where the released content ends. */
  #place = TEXT_BEGIN;
  /** The last line of the released thinking. */
  #line = '';

  constructor(markers: ThinkingMarkers, options: ThinkingOptions) {
    const {
      open,
      hasFormat = false,
      onlyAtStart = hasFormat,
      hasGrammar = hasFormat,
      isInCall = () => false,
    } = options;
    this.#markers = markers;
    this.#thinking = open;
    this.#front = open;
    this.#hasFormat = hasFormat;
    this.#onlyAtStart = onlyAtStart;
    this.#hasGrammar = hasGrammar;
    this.#isInCall = isInCall;
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
    if (this.#frame === 'expected') return this.#openFrame();
    if (this.#frame === 'open') {
      yield* this.#release(this.#framedLength());
      return false;
    }
    if (!this.#thinking && ((this.#onlyAtStart && this.#hasContent) || this.#isInCall())) {
      yield* this.#release(text.length);
      return false;
    }
    const marker = this.#thinking ? this.#markers.close : this.#markers.open;
    const at = this.#thinking ? this.#findClosing() : this.#findOpening();
    if (at < 0) {
      yield* this.#release(text.length - this.#undecidedLength(marker));
      return false;
    }
    const visible = text.slice(0, at).trimEnd().length;
    // White space before thinking within the answer separates the texts around it.
    const length = this.#thinking || (visible === 0 && !this.#hasContent) ? visible : at;
    if (length > 0) {
      // The marker is taken afterwards, unless a call has begun in the released text.
      yield* this.#release(length);
      return true;
    }
    this.#held.take(at + marker.length);
    this.#thinking = !this.#thinking;
    this.#front = true;
    this.#place = TEXT_BEGIN;
    this.#line = '';
    if (!this.#thinking && this.#markers.answer && !this.#hasFormat) this.#frame = 'expected';
    return true;
  }

  /** Takes the marker before the answer if it follows. Returns whether that is decided. */
  #openFrame(): boolean {
    const { open } = this.#markers.answer!;
    const begun = this.#held.text.trimStart();
    if (begun.length < open.length && open.startsWith(begun)) return false;
    this.#frame = begun.startsWith(open) ? 'open' : 'none';
    if (this.#frame === 'open') this.#held.take(this.#held.text.length - begun.length + open.length);
    return true;
  }

  /** Returns the length of the held text without a suffix that may be the marker after the answer. */
  #framedLength(): number {
    const { close } = this.#markers.answer!;
    const written = this.#held.text.trimEnd();
    const certain = written.endsWith(close) ? written.slice(0, -close.length) : this.#held.certainText([close]);
    return this.#held.uncut(certain.trimEnd().length);
  }

  /** Returns where thinking begins in the held text; -1 if it does not. Elsewhere the marker is text about markers. */
  #findOpening(): number {
    const { text } = this.#held;
    const { open } = this.#markers;
    for (let at = text.indexOf(open); at >= 0; at = text.indexOf(open, at + 1)) {
      const before = text.slice(0, at);
      if (!this.#hasContent && before.trim() === '') return at;
      if (this.#onlyAtStart) return -1;
      if (!mayBeText(this.#markers) || mayBeginMark(placeAfter(this.#place, before))) return at;
    }
    return -1;
  }

  /** Returns where thinking ends in the held text; -1 if it does not. */
  #findClosing(): number {
    const { close } = this.#markers;
    let at = this.#held.text.indexOf(close);
    while (at >= 0 && this.#isQuoted(at)) at = this.#held.text.indexOf(close, at + 1);
    return at;
  }

  /**
   * Whether the marker that ends thinking stands, or may stand, in quotation marks: the model thinks about it. A quotation or
   * block of code that ends before the marker, and another one with which the answer begins, are not around it.
   */
  #isQuoted(at: number): boolean {
    const { close } = this.#markers;
    if (this.#hasGrammar || !TAG.test(close)) return false;
    const { text } = this.#held;
    const line = (this.#line + text.slice(0, at)).split('\n').at(-1)!;
    const quote = QUOTES.find((mark) => line.endsWith(mark));
    if (quote === undefined || line.split(quote).length % 2 === 1) return false;
    const [after = quote, next = ' '] = text.slice(at + close.length);
    return after === quote && !/[\p{L}\p{N}"`]/u.test(next);
  }

  /**
   * Ends the splitter after the end of the text. Returns the text held back; trailing white space is kept in content
   * only.
   */
  end(): ThinkingPart[] {
    const { text } = this.#held;
    const isFramed = this.#frame === 'open' && text.trimEnd().endsWith(this.#markers.answer!.close);
    if (isFramed) return [...this.#release(this.#framedLength())];
    return [...this.#release(this.#thinking ? text.trimEnd().length : text.length)];
  }

  /**
   * Returns the length of the suffix that must be held back: a possible beginning of `marker`, and white space before
   * it, or a marker that may be quoted.
   */
  #undecidedLength(marker: string): number {
    const { text } = this.#held;
    const quoted = ['', ...QUOTES].map((mark) => marker + mark).find((end) => text.endsWith(end));
    if (this.#thinking && quoted) return text.length - this.#held.uncut(text.length - quoted.length);
    return this.#held.text.length - this.#held.uncut(this.#held.certainText([marker]).trimEnd().length);
  }

  *#release(length: number): Generator<ThinkingPart, undefined> {
    if (this.#front) {
      const blank = this.#blankLength();
      this.#held.take(Math.min(blank, length));
      length = Math.max(0, length - blank);
    }
    if (length === 0) return undefined;
    this.#front = false;
    const pieces = this.#held.take(length);
    const text = pieceText(pieces);
    if (this.#thinking) this.#line = (this.#line + text).split('\n').at(-1)!;
    else {
      this.#hasContent ||= text.trim() !== '';
      this.#place = placeAfter(this.#place, text);
    }
    yield { channel: this.#thinking ? 'reasoning' : 'content', pieces };
    return undefined;
  }

  /** Returns the length of the white space after a marker. */
  #blankLength(): number {
    const { text } = this.#held;
    if (this.#hasFormat && !this.#thinking) return text.startsWith(FORMAT_GAP) ? FORMAT_GAP.length : 0;
    return text.length - text.trimStart().length;
  }
}
