import type { ToolCallDelta } from '../../../shared/engine/completion-event.ts';
import { JsonScanner } from './json-scanner.ts';
import { PieceBuffer, pieceText, type Piece } from './piece.ts';
import { CUSTOM_CALL_END, TOOL_CALL_CLOSE, TOOL_CALL_OPEN } from '../tools/tool-syntax.ts';

/** What some output of the model means: text of the answer, or pieces of calls. */
export interface ParsedOutput {
  readonly content: readonly Piece[];
  readonly toolCalls: readonly ToolCallDelta[];
}

export interface ToolCallParserOptions {
  /** Most calls in one answer. */
  readonly most: number;
}

/** A call whose arguments have begun. */
interface OpenCall {
  readonly name: string;
  /** Follows the arguments; null for a custom tool, whose input ends with {@link CUSTOM_CALL_END}. */
  readonly json: JsonScanner | null;
  /** The arguments as far as they are known. */
  arguments: string;
  /** Pieces of the arguments that nobody was told of yet. */
  readonly untold: string[];
  told: boolean;
  /** Whether the arguments are whole. */
  ended: boolean;
}

const CALL_ID_LETTERS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';
const CALL_ID_LENGTH = 24;

const HEAD = /^\s*\{\s*"name"\s*:\s*("(?:[^"\\]|\\.)*")\s*,\s*"arguments"\s*:\s*(?=\S)/;
const CUSTOM_HEAD = /^\s*\{\s*"name"\s*:\s*("(?:[^"\\]|\\.)*")\s*\}[ \t]*\n/;

/**
 * Separates text from tool calls. A call is told as it is written, as soon as its name is known and it is no repetition
 * of an earlier one; an answer that is cut off ends with what there is of its last call.
 *
 * The answer is over when the model has made the most calls it may, goes on with something else than
 * another call, or repeats itself: small models otherwise call the same function until the limit.
 */
export class ToolCallParser {
  readonly #options: ToolCallParserOptions;
  readonly #held = new PieceBuffer();
  /** Name and arguments of each call that is complete, as one text. */
  readonly #made: string[] = [];
  #over = false;
  #open: OpenCall | null = null;

  constructor(options: ToolCallParserOptions) {
    this.#options = options;
  }

  /** How many calls have been told, the one that is being written included. */
  get calls(): number {
    return this.#made.length + (this.#open?.told ? 1 : 0);
  }

  /** Whether the answer is complete although the model may not know it. */
  get over(): boolean {
    return this.#over;
  }

  push(piece: Piece): ParsedOutput {
    this.#held.push(piece);
    const content: Piece[] = [];
    const toolCalls: ToolCallDelta[] = [];
    while (!this.#over) {
      if (this.#open === null) {
        const at = this.#held.text.indexOf(TOOL_CALL_OPEN);
        if (at < 0) {
          content.push(...this.#text());
          break;
        }
        const before = this.#held.take(at);
        if (this.#made.length === 0) content.push(...trimEnd(before));
        else if (pieceText(before).trim() !== '') this.#over = true;
        if (this.#over || !this.#begin()) break;
      }
      toolCalls.push(...this.#arguments());
      if (!this.#close()) break;
    }
    return { content, toolCalls };
  }

  /**
   * Nothing follows.
   *
   * @param cut Whether the model would have gone on; then the beginning of a call's marker is no text.
   * @returns text that was held back in case a call began there.
   */
  end(cut: boolean): readonly Piece[] {
    const { text } = this.#held;
    const inCalls = this.#made.length > 0 || this.#open !== null;
    return cut || inCalls || text.includes(TOOL_CALL_OPEN) ? [] : this.#held.take(text.length);
  }

  /** What is text for certain. White space that may stand before a call waits. */
  #text(): Piece[] {
    const { text } = this.#held;
    if (this.#made.length > 0) {
      this.#over = !TOOL_CALL_OPEN.startsWith(text.trimStart());
      return [];
    }
    return this.#held.take(this.#held.certainText([TOOL_CALL_OPEN]).trimEnd().length);
  }

  /** Takes what stands before the arguments of the call at the front of what is held; false while that is incomplete. */
  #begin(): boolean {
    const text = this.#held.text.slice(TOOL_CALL_OPEN.length);
    const custom = CUSTOM_HEAD.exec(text);
    const head = custom ?? HEAD.exec(text);
    if (head?.[1] === undefined) return false;
    this.#held.take(TOOL_CALL_OPEN.length + head[0].length);
    const name = JSON.parse(head[1]) as string;
    const json = custom ? null : new JsonScanner();
    this.#open = { name, json, arguments: '', untold: [], told: false, ended: false };
    return true;
  }

  /** What has come of the open call's arguments. */
  #arguments(): ToolCallDelta[] {
    const open = this.#open;
    if (open === null || open.ended) return [];
    const pieces = this.#held.take(this.#followArguments(open)).map(({ text }) => text);
    open.arguments += pieces.join('');
    open.untold.push(...pieces);
    const signature = callSignature(open);
    if (this.#made.some((made) => (open.ended ? made === signature : made.startsWith(signature)))) return [];
    const index = this.#made.length;
    const kind = open.json === null ? ({ custom: true } as const) : {};
    const deltas = open.untold.splice(0).map((piece) => ({ index, arguments: piece, ...kind }));
    if (open.told) return deltas;
    open.told = true;
    return [{ index, id: randomCallId(), name: open.name, arguments: '', ...kind }, ...deltas];
  }

  /** How many characters of what is held belong to the open call's arguments for certain. */
  #followArguments(open: OpenCall): number {
    const { text } = this.#held;
    if (open.json === null) {
      const at = text.indexOf(CUSTOM_CALL_END);
      open.ended = at >= 0;
      return open.ended ? at : this.#held.certainText([CUSTOM_CALL_END]).length;
    }
    const known = open.arguments.length;
    open.json.push(text);
    open.ended = open.json.end !== null;
    return (open.json.end ?? Number.POSITIVE_INFINITY) - known;
  }

  /** Takes the end of the open call; false while it has not come. */
  #close(): boolean {
    const open = this.#open;
    if (open === null || !open.ended) return false;
    const close = this.#held.text.indexOf(TOOL_CALL_CLOSE);
    if (close < 0) return false;
    this.#held.take(close + TOOL_CALL_CLOSE.length);
    this.#open = null;
    // A call that nobody was told of to its end is an earlier one again.
    if (open.told) this.#made.push(callSignature(open));
    this.#over = !open.told || this.#made.length >= this.#options.most;
    return true;
  }
}

function callSignature({ name, arguments: text }: OpenCall): string {
  return JSON.stringify(name) + text;
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
