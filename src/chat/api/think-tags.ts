import type { CompletionPiece } from './read-chunk.ts';

/** How models begin their thinking in the text of an answer, and how they end it. */
const TAGS: Readonly<Record<string, string>> = {
  '<think>': '</think>',
  '<thinking>': '</thinking>',
  '<thought>': '</thought>',
  '<reasoning>': '</reasoning>',
};

/**
 * Separates thinking from text where a server leaves both in one stream: the answer begins with a tag such as `<think>`.
 * Tags behind other text stay, for the answer may be about them.
 */
export class ThinkTags {
  #state: 'begin' | 'thinking' | 'thought' | 'text' = 'begin';
  #closer = '';
  /** Text that may be a part of a tag. */
  #held = '';

  /** Replaces a piece of text by pieces of thinking and text. */
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
    // The empty lines between thinking and answer may come in pieces.
    if (this.#state === 'thought') text = text.trimStart();
    if (text === '') return;
    this.#state = 'text';
    yield { type: 'text', text };
  }

  /** What is left at the end of the stream. */
  *rest(): Generator<CompletionPiece, void, undefined> {
    if (this.#held !== '') yield { type: this.#state === 'thinking' ? 'thinking' : 'text', text: this.#held };
    this.#held = '';
  }
}

/** The length of the longest end of `text` with which `tag` begins. */
function lengthOfPart(text: string, tag: string): number {
  for (let length = Math.min(tag.length - 1, text.length); length > 0; length -= 1)
    if (tag.startsWith(text.slice(-length))) return length;
  return 0;
}
