import type { CompletionPiece } from './read-chunk.ts';

/**
 * The tags by which models begin their thinking in the text of an answer, and those by which they end it, in small
 * letters: Qwen and most others, LongCat, Seed, Mistral, Kimi, Cohere, OpenThinker, Apertus, Gemma 4, gpt-oss.
 */
const TAGS: Readonly<Record<string, string>> = {
  '<think>': '</think>',
  '<thinking>': '</thinking>',
  '<thought>': '</thought>',
  '<reasoning>': '</reasoning>',
  '<longcat_think>': '</longcat_think>',
  '<seed:think>': '</seed:think>',
  '[think]': '[/think]',
  '◁think▷': '◁/think▷',
  '<|start_thinking|>': '<|end_thinking|>',
  '<|begin_of_thought|>': '<|end_of_thought|>',
  '<|inner_prefix|>': '<|inner_suffix|>',
  '<|channel>thought': '<channel|>',
  '<|channel|>analysis<|message|>': '<|end|><|start|>assistant<|channel|>final<|message|>',
};
const OPENERS = Object.keys(TAGS);
const CLOSERS = Object.values(TAGS);

/**
 * Separates thinking from text for servers that leave both in one stream. Such an answer begins with a tag such as
 * `<think>`, or has only the closing tag, because the prompt ended in the opening one. Tags after other text are kept,
 * because the answer may be about them, and so are closing tags within code.
 */
export class ThinkTags {
  #state: 'begin' | 'thinking' | 'thought' | 'text' = 'begin';
  #closer = '';
  /** Text that may be the beginning of a tag. */
  #held = '';
  /** The text that was yielded before a closing tag. */
  #said = '';

  /** Splits a piece of text into pieces of thinking and pieces of text. */
  *split(piece: CompletionPiece): Generator<CompletionPiece, void, undefined> {
    if (piece.type !== 'text') return yield piece;
    let text = this.#held + piece.text;
    this.#held = '';
    if (this.#state === 'begin') {
      const begun = text.trimStart();
      const opener = OPENERS.find((tag) => inSmallLetters(begun).startsWith(tag));
      if (opener !== undefined) {
        this.#state = 'thinking';
        this.#closer = TAGS[opener]!;
        text = begun.slice(opener.length).trimStart();
      } else if (OPENERS.some((tag) => tag.startsWith(inSmallLetters(begun)))) return void (this.#held = text);
      else this.#state = 'text';
    }
    if (this.#state === 'thinking') {
      const end = inSmallLetters(text).indexOf(this.#closer);
      const kept = end < 0 ? text.length - lengthOfPart(text, this.#closer) : end;
      if (kept > 0) yield { type: 'thinking', text: text.slice(0, kept) };
      if (end < 0) return void (this.#held = text.slice(kept));
      this.#state = 'thought';
      text = text.slice(end + this.#closer.length);
    }
    if (this.#state === 'text') {
      const closer = this.#loneCloser(text);
      if (closer === null) {
        const part = this.#closer === '' ? Math.max(...CLOSERS.map((tag) => lengthOfPart(text, tag))) : 0;
        const kept = text.length - part;
        this.#held = text.slice(kept);
        return yield* this.#say(text.slice(0, kept));
      }
      yield* this.#say(text.slice(0, closer.at));
      yield { type: 'was-thinking', length: this.#said.length };
      this.#state = 'thought';
      text = text.slice(closer.at + closer.tag.length);
    }
    // Drops the blank lines between thinking and answer, which may arrive in several pieces.
    if (this.#state === 'thought') text = text.trimStart();
    if (text === '') return;
    this.#state = 'text';
    this.#closer ||= CLOSERS[0]!;
    yield { type: 'text', text };
  }

  *#say(text: string): Generator<CompletionPiece, void, undefined> {
    if (text === '') return;
    if (this.#closer === '') this.#said += text;
    yield { type: 'text', text };
  }

  /** Finds the first closing tag in a text, unless thinking has ended before, or the tag is part of code. */
  #loneCloser(text: string): { readonly at: number; readonly tag: string } | null {
    if (this.#closer !== '') return null;
    const found = CLOSERS.map((tag) => ({ at: inSmallLetters(text).indexOf(tag), tag })).filter(({ at }) => at >= 0);
    const [first] = found.toSorted((one, other) => one.at - other.at);
    return first === undefined || endsInCode(this.#said + text.slice(0, first.at)) ? null : first;
  }

  /** Returns the held text at the end of the stream. */
  *rest(): Generator<CompletionPiece, void, undefined> {
    if (this.#held !== '') yield { type: this.#state === 'thinking' ? 'thinking' : 'text', text: this.#held };
    this.#held = '';
  }
}

/** Whether a Markdown text ends within a block of code or a code span. */
function endsInCode(text: string): boolean {
  let fence = '';
  for (const line of text.split('\n')) {
    const [, marks = ''] = /^ {0,3}(`{3,}|~{3,})/.exec(line) ?? [];
    if (fence === '') fence = marks;
    else if (marks.startsWith(fence) && line.trim() === marks) fence = '';
  }
  const line = text.slice(text.lastIndexOf('\n') + 1);
  return fence !== '' || (line.split('`').length - 1) % 2 === 1;
}

/** Writes only the letters from A to Z small, so that the text keeps its length. */
function inSmallLetters(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

/** Returns the length of the longest suffix of `text` that is a prefix of `tag`. */
function lengthOfPart(text: string, tag: string): number {
  const end = inSmallLetters(text.slice(-tag.length));
  for (let length = Math.min(tag.length - 1, end.length); length > 0; length -= 1)
    if (tag.startsWith(end.slice(-length))) return length;
  return 0;
}
