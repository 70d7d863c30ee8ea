import type { ToolCallDelta } from '../../shared/completion-event.ts';
import { JsonScanner } from './json-scanner.ts';
import { PieceBuffer, pieceText, type Piece } from './piece.ts';
import { TOOL_CALL_CLOSE, TOOL_CALL_OPEN } from './tool-syntax.ts';

/** What some output of the model means: text of the answer, or a complete call in pieces. */
export interface ParsedOutput {
  readonly content: readonly Piece[];
  readonly toolCalls: readonly ToolCallDelta[];
}

export interface ToolCallParserOptions {
  /** Most calls in one answer. */
  readonly most: number;
}

/** A call whose arguments have begun. Positions count from the front of what is held. */
interface OpenCall {
  readonly name: string;
  readonly begin: number;
  read: number;
  readonly json: JsonScanner;
}

const CALL_ID_LETTERS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';
const CALL_ID_LENGTH = 24;

const HEAD = /^\s*\{\s*"name"\s*:\s*("(?:[^"\\]|\\.)*")\s*,\s*"arguments"\s*:\s*(?=\S)/;

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
  #open: OpenCall | null = null;

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

  /** Whether a call has begun that will never end. */
  get stuck(): boolean {
    return this.#open?.json.stuck ?? false;
  }

  push(piece: Piece): ParsedOutput {
    this.#held.push(piece);
    const content: Piece[] = [];
    const toolCalls: ToolCallDelta[] = [];
    while (!this.#over) {
      const at = this.#held.text.indexOf(TOOL_CALL_OPEN);
      if (at < 0) {
        content.push(...this.#text());
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

  /**
   * Nothing follows. Half a call is dropped.
   *
   * @param cut Whether the model would have gone on; then the beginning of a call's marker is no text.
   * @returns text that was held back in case a call began there.
   */
  end(cut: boolean): readonly Piece[] {
    const { text } = this.#held;
    return cut || this.#made.size > 0 || text.includes(TOOL_CALL_OPEN) ? [] : this.#held.take(text.length);
  }

  /** What is text for certain. White space that may stand before a call waits. */
  #text(): Piece[] {
    const { text } = this.#held;
    if (this.#made.size > 0) {
      this.#over = !TOOL_CALL_OPEN.startsWith(text.trimStart());
      return [];
    }
    return this.#held.take(this.#held.certainText([TOOL_CALL_OPEN]).trimEnd().length);
  }

  /** The call at the front of what is held; null while it is incomplete. */
  #call(): ToolCallDelta[] | null {
    const { text } = this.#held;
    this.#open ??= openCall(text);
    const open = this.#open;
    if (open === null) return null;
    open.json.push(text.slice(open.read));
    open.read = text.length;
    if (open.json.end === null) return null;
    const end = open.begin + open.json.end;
    const close = text.indexOf(TOOL_CALL_CLOSE, end);
    if (close < 0) return null;
    this.#open = null;
    this.#held.take(open.begin);
    const args = this.#held.take(end - open.begin).map((piece) => piece.text);
    this.#held.take(close + TOOL_CALL_CLOSE.length - end);
    return this.#deltas(open.name, args);
  }

  #deltas(name: string, args: readonly string[]): ToolCallDelta[] {
    const signature = JSON.stringify([name, args.join('')]);
    if (this.#made.has(signature)) {
      this.#over = true;
      return [];
    }
    const index = this.#made.size;
    this.#made.add(signature);
    this.#over = this.#made.size >= this.#options.most;
    const first = { index, id: randomCallId(), name, arguments: '' };
    return [first, ...args.map((piece) => ({ index, arguments: piece }))];
  }
}

/** Reads how a call begins; null until its arguments begin. */
function openCall(text: string): OpenCall | null {
  const head = HEAD.exec(text.slice(TOOL_CALL_OPEN.length));
  if (head?.[1] === undefined) return null;
  const begin = TOOL_CALL_OPEN.length + head[0].length;
  return { name: JSON.parse(head[1]) as string, begin, read: begin, json: new JsonScanner() };
}

function trimEnd(pieces: readonly Piece[]): Piece[] {
  const buffer = new PieceBuffer();
  for (const piece of pieces) buffer.push(piece);
  return buffer.take(buffer.text.trimEnd().length);
}

/** A new id for a tool call: `call_` and 24 letters or digits. */
function randomCallId(): string {
  const values = crypto.getRandomValues(new Uint32Array(CALL_ID_LENGTH));
  return `call_${[...values].map((value) => CALL_ID_LETTERS[value % CALL_ID_LETTERS.length]).join('')}`;
}
