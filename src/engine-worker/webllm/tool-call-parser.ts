import type { ToolCallDelta } from '../../shared/completion-event.ts';
import { PieceBuffer, pieceText, type Piece } from './piece.ts';
import { possibleStartLength } from './possible-start.ts';
import { TOOL_CALL_CLOSE, TOOL_CALL_OPEN } from './tool-syntax.ts';

/** What some output of the model means: text of the answer, or a complete call in pieces. */
export interface Spoken {
  readonly content: readonly Piece[];
  readonly toolCalls: readonly ToolCallDelta[];
}

export interface ToolCallParserOptions {
  /** Most calls in one answer. */
  readonly most: number;
  readonly newId: () => string;
}

const HEAD = /^\s*\{\s*"name"\s*:\s*("(?:[^"\\]|\\.)*")\s*,\s*"arguments"\s*:\s*/;

/**
 * Separates text from tool calls. A call is told when it is complete, so that an answer that is cut off
 * never leaves half a call behind; its arguments come in the pieces in which the model wrote them.
 *
 * The answer is over when the model has made the most calls it may, goes on with something else than
 * another call, or repeats itself: small models otherwise call the same function until the limit.
 */
export class ToolCallParser {
  readonly #options: ToolCallParserOptions;
  readonly #held = new PieceBuffer();
  readonly #made = new Set<string>();
  #over = false;

  constructor(options: ToolCallParserOptions) {
    this.#options = options;
  }

  /** How many calls have been told. */
  get calls(): number {
    return this.#made.size;
  }

  /** Whether the answer is complete although the model may not know it. */
  get over(): boolean {
    return this.#over;
  }

  push(piece: Piece): Spoken {
    this.#held.push(piece);
    return this.#read(false);
  }

  /** Nothing follows. Half a call is dropped. */
  end(): Spoken {
    return this.#read(true);
  }

  #read(ended: boolean): Spoken {
    const content: Piece[] = [];
    const toolCalls: ToolCallDelta[] = [];
    while (!this.#over) {
      const at = this.#held.text.indexOf(TOOL_CALL_OPEN);
      if (at < 0) {
        content.push(...this.#text(ended));
        break;
      }
      const before = this.#held.take(at);
      if (this.#made.size === 0) content.push(...trimEnd(before));
      else if (pieceText(before).trim() !== '') this.#over = true;
      const call = this.#over ? null : this.#call();
      if (call === null) break;
      toolCalls.push(...call);
    }
    return { content, toolCalls };
  }

  /** What is text for certain. White space that may stand before a call waits. */
  #text(ended: boolean): Piece[] {
    const { text } = this.#held;
    if (this.#made.size > 0) {
      const rest = text.trimStart();
      if (!TOOL_CALL_OPEN.startsWith(rest)) this.#over = true;
      return [];
    }
    if (ended) return this.#held.take(text.length);
    const certain = text.slice(0, text.length - possibleStartLength(text, [TOOL_CALL_OPEN]));
    return this.#held.take(certain.trimEnd().length);
  }

  /** The call at the front of what is held; null while it is incomplete. */
  #call(): ToolCallDelta[] | null {
    const start = TOOL_CALL_OPEN.length;
    const { text } = this.#held;
    const head = HEAD.exec(text.slice(start));
    if (head?.[1] === undefined) return null;
    const begin = start + head[0].length;
    const length = jsonLength(text.slice(begin));
    if (length === null) return null;
    const close = text.indexOf(TOOL_CALL_CLOSE, begin + length);
    if (close < 0) return null;
    this.#held.take(begin);
    const args = this.#held.take(length).map((piece) => piece.text);
    this.#held.take(close + TOOL_CALL_CLOSE.length - begin - length);
    return this.#tell(JSON.parse(head[1]) as string, args);
  }

  #tell(name: string, args: readonly string[]): ToolCallDelta[] {
    const signature = JSON.stringify([name, args.join('')]);
    if (this.#made.has(signature)) {
      this.#over = true;
      return [];
    }
    const index = this.#made.size;
    this.#made.add(signature);
    this.#over = this.#made.size >= this.#options.most;
    const first = { index, id: this.#options.newId(), name, arguments: '' };
    return [first, ...args.map((piece) => ({ index, arguments: piece }))];
  }
}

/** Length of the JSON object at the front of `text`; null while it is incomplete. */
function jsonLength(text: string): number | null {
  let depth = 0;
  let quoted = false;
  for (let position = 0; position < text.length; position++) {
    const character = text[position];
    if (quoted) {
      if (character === '\\') position++;
      else if (character === '"') quoted = false;
    } else if (character === '"') quoted = true;
    else if (character === '{' || character === '[') depth++;
    else if (character === '}' || character === ']') {
      depth--;
      if (depth === 0) return position + 1;
    }
  }
  return null;
}

function trimEnd(pieces: readonly Piece[]): Piece[] {
  const buffer = new PieceBuffer();
  for (const piece of pieces) buffer.push(piece);
  return buffer.take(buffer.text.trimEnd().length);
}
