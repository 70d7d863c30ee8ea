import type { CompletionPiece } from './read-chunk.ts';

/** The tags by which models begin their thinking in the text of an answer, and those by which they end it. */
const TAGS: Readonly<Record<string, string>> = {
  '<think>': '</think>',
  '<thinking>': '</thinking>',
  '<thought>': '</thought>',
  '<reasoning>': '</reasoning>',
};

/**
 * Separates thinking from text for servers that leave both in one stream: such an answer begins with a tag such as
 * `<think>`. Tags after other text are kept, because the answer may be about them.
 */
export class ThinkTags {
  #state: 'begin' | 'thinking' | 'thought' | 'text' = 'begin';
  #closer = '';
  /** Text that may be the beginning of a tag. */
  #held = '';

  /** Splits a piece of text into pieces of thinking and pieces of text. */
  *split(piece: CompletionPiece): Generator<CompletionPiece, void, undefined> {
    if (piece.type !== 'text') return yield piece;
    let text = this.#held + piece.text;
    this.#held = '';
    if (this.#state === 'begin') {
      const begun = text.trimStart();
      const opener = Object.keys(TAGS).find((tag) => begun.startsWith(tag));
      if (opener !== undefined) {
        this.#state = 'thinking';
        this.#closer = TAGS[opener]!;
        text = begun.slice(opener.length).trimStart();
      } else if (Object.keys(TAGS).some((tag) => tag.startsWith(begun))) return void (this.#held = text);
      else this.#state = 'text';
    }
    if (this.#state === 'thinking') {
      const end = text.indexOf(this.#closer);
      const kept = end < 0 ? text.length - lengthOfPart(text, this.#closer) : end;
      if (kept > 0) yield { type: 'thinking', text: text.slice(0, kept) };
      if (end < 0) return void (this.#held = text.slice(kept));
      this.#state = 'thought';
      text = text.slice(end + this.#closer.length);
    }
    // Drops the blank lines between thinking and answer, which may arrive in several pieces.
    if (this.#state === 'thought') text = text.trimStart();
    if (text === '') return;
    this.#state = 'text';
    yield { type: 'text', text };
  }

  /** Returns the held text at the end of the stream. */
  *rest(): Generator<CompletionPiece, void, undefined> {
    if (this.#held !== '') yield { type: this.#state === 'thinking' ? 'thinking' : 'text', text: this.#held };
    this.#held = '';
  }
}

/** Returns the length of the longest suffix of `text` that is a prefix of `tag`. */
function lengthOfPart(text: string, tag: string): number {
  for (let length = Math.min(tag.length - 1, text.length); length > 0; length -= 1)
    if (tag.startsWith(text.slice(-length))) return length;
  return 0;
}
