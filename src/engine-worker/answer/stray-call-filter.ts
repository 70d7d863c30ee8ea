import type { CallSyntax } from '../tools/call-syntax/call-syntax.ts';
import { indexOfAny } from '../tools/call-syntax/index-of-any.ts';
import { PieceBuffer, type Piece } from './piece-buffer.ts';
import { mayBeginMark, placeAfter, TEXT_BEGIN } from './text-place.ts';

/** The most characters that are held back to see what a mark begins. */
const LONGEST = 1000;

/** What a text that begins with a mark is. `open`: further text decides. */
type Judgement = 'call' | 'text' | 'open';

/**
 * Passes text through up to a tool call that the model writes without having tools. A call is recognized by its mark at
 * the beginning of a line, and by what follows: what the syntax has there, and after the end of the call no prose. All
 * other marks are text about calls, such as in a sentence, an example or a block of code.
 *
 * The mark cannot be prevented by forbidding tokens, because most small models write it with ordinary tokens.
 */
export class StrayCallFilter {
  readonly #syntaxes: readonly CallSyntax[];
  readonly #marks: readonly string[];
  readonly #held = new PieceBuffer();
  /** Where the text that was passed through ends. */
  #place = TEXT_BEGIN;
  #found = false;

  /** @param syntaxes The syntaxes of the calls that the model may write. */
  constructor(syntaxes: readonly CallSyntax[]) {
    this.#syntaxes = syntaxes;
    this.#marks = syntaxes.map(({ mark }) => mark);
  }

  /** Whether a call was found. The filter then discards all further text. */
  get found(): boolean {
    return this.#found;
  }

  push(piece: Piece): Piece[] {
    if (this.#found) return [];
    this.#held.push(piece);
    const { text } = this.#held;
    for (let at = indexOfAny(text, this.#marks); at >= 0; at = indexOfAny(text, this.#marks, at + 1)) {
      if (!mayBeginMark(placeAfter(this.#place, text.slice(0, at)))) continue;
      const judgement = this.#judge(text.slice(at));
      if (judgement === 'text') continue;
      this.#found = judgement === 'call';
      return this.#pass(at);
    }
    return this.#pass(this.#held.certainText(this.#marks).length);
  }

  /**
   * Ends the filter after the end of the text. Returns the text that was held back, because it did not become a call.
   * @param cut Whether a length limit ended the text.
   */
  end(cut: boolean): Piece[] {
    const { text } = this.#held;
    // An answer about marks may end with one.
    const mayBeCall = cut || !this.#marks.includes(text.trim());
    this.#found ||= mayBeCall && this.#judge(text) === 'open';
    return this.#found ? [] : this.#pass(text.length);
  }

  #judge(text: string): Judgement {
    const judgements = this.#syntaxes.map((syntax) => (text.startsWith(syntax.mark) ? judge(text, syntax) : 'text'));
    if (judgements.includes('call')) return 'call';
    if (!judgements.includes('open')) return 'text';
    return text.length > LONGEST ? 'call' : 'open';
  }

  #pass(length: number): Piece[] {
    this.#place = placeAfter(this.#place, this.#held.text.slice(0, length));
    return this.#held.take(length);
  }
}

/** Returns what stands behind the mark at the beginning of a call, up to the first part that the model chooses. */
function afterMark({ mark, open = '', before }: CallSyntax): string {
  const chosen = before.findIndex((part) => typeof part !== 'string');
  const known = [open, ...(chosen === -1 ? before : before.slice(0, chosen))].join('');
  return known.slice(known.indexOf(mark) + mark.length);
}

/** Judges a text that begins with the mark of a syntax. */
function judge(text: string, syntax: CallSyntax): Judgement {
  const { mark, end, close } = syntax;
  const next = afterMark(syntax).trimStart().charAt(0);
  const rest = text.slice(mark.length);
  // Where nothing stands between the mark and the name, no blank does either.
  const given = next === '' ? rest : rest.trimStart();
  if (given === '') return 'open';
  if (next === '' ? !/^[\w.-]/.test(given) : !given.startsWith(next)) return 'text';
  const closing = /<\/[^<>]+>$/.exec(close ?? String(end.at(-1)))?.[0];
  // Marks that are no tags are tokens of calls alone.
  if (closing === undefined) return 'call';
  const closed = text.indexOf(closing);
  if (closed < 0) return 'open';
  const after = text.slice(closed + closing.length).trimStart();
  if (after === '') return 'open';
  // Another call follows, or the result that the model makes up.
  return after.startsWith('<') ? 'call' : 'text';
}
