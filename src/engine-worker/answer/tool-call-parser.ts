import type { ToolCallDelta } from '../../shared/engine/completion-event.ts';
import type { CompletionRequest } from '../../shared/engine/completion-request.ts';
import { JsonScanner } from './json-scanner.ts';
import { PieceBuffer, pieceText, type Piece } from './piece-buffer.ts';
import { CUSTOM_CALL_END, TOOL_CALL_CLOSE, TOOL_CALL_OPEN } from '../tools/tool-syntax.ts';

/** Model output, split into content and deltas of tool calls. */
export interface ParsedOutput {
  readonly content: readonly Piece[];
  readonly toolCalls: readonly ToolCallDelta[];
}

export interface ToolCallParserOptions {
  /** Maximum number of tool calls in one answer. */
  readonly most: number;
}

/** The tool call that the model is writing. Its name is known, and its arguments have begun. */
interface OpenCall {
  readonly name: string;
  /**
   * Finds the end of the JSON arguments. Null for a custom tool, whose plain-text input ends at
   * {@link CUSTOM_CALL_END}.
   */
  readonly json: JsonScanner | null;
  arguments: string;
  /** Pieces of the arguments that were not yet emitted as deltas. */
  readonly untold: string[];
  /** Whether the first delta of this call, with its id and name, was emitted. */
  told: boolean;
  /** Whether the arguments are complete. */
  ended: boolean;
}

const CALL_ID_LETTERS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';
const CALL_ID_LENGTH = 24;

const HEAD = /^\s*\{\s*"name"\s*:\s*("(?:[^"\\]|\\.)*")\s*,\s*"arguments"\s*:\s*(?=\S)/;
const CUSTOM_HEAD = /^\s*\{\s*"name"\s*:\s*("(?:[^"\\]|\\.)*")\s*\}[ \t]*\n/;

/** Creates the parser for the answer to a request; null if the request has no tools. */
export function toolCallParserOf({ tools, ...request }: CompletionRequest): ToolCallParser | null {
  if (tools.length === 0 || request.toolChoice === 'none') return null;
  return new ToolCallParser({ most: allowsOneCall(request) ? 1 : Number.POSITIVE_INFINITY });
}

/** Whether an answer may have at most one call. */
export function allowsOneCall({
  parallelToolCalls,
  toolChoice,
}: Pick<CompletionRequest, 'parallelToolCalls' | 'toolChoice'>): boolean {
  return !parallelToolCalls || typeof toolChoice === 'object';
}

/**
 * Separates content from tool calls. The deltas of a call are streamed once its name is known and it differs from every
 * earlier call. If the answer is cut off, its last call stays incomplete.
 *
 * The answer is over when the model has made the maximum number of calls, writes text after a call, or repeats a call.
 * Without this, small models would repeat the same call until the length limit.
 */
export class ToolCallParser {
  readonly #options: ToolCallParserOptions;
  readonly #held = new PieceBuffer();
  /** The {@link callSignature} of each completed call. */
  readonly #made: string[] = [];
  #over = false;
  #open: OpenCall | null = null;

  constructor(options: ToolCallParserOptions) {
    this.#options = options;
  }

  /** Number of calls emitted, including one that is still being written. */
  get calls(): number {
    return this.#made.length + (this.#open?.told ? 1 : 0);
  }

  /** Whether the answer is complete, even if the model would continue. */
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
   * Ends the answer after the model has stopped generating. Returns the content that was held back because a call might
   * have begun there.
   *
   * @param cut Whether a length limit ended the answer. The text held back may then begin a call, so it is dropped.
   */
  end(cut: boolean): readonly Piece[] {
    const { text } = this.#held;
    const inCalls = this.#made.length > 0 || this.#open !== null;
    return cut || inCalls || text.includes(TOOL_CALL_OPEN) ? [] : this.#held.take(text.length);
  }

  /** Takes the text that is certainly content. White space stays held back, because a call may follow it. */
  #text(): Piece[] {
    const { text } = this.#held;
    if (this.#made.length > 0) {
      this.#over = !TOOL_CALL_OPEN.startsWith(text.trimStart());
      return [];
    }
    return this.#held.take(this.#held.certainText([TOOL_CALL_OPEN]).trimEnd().length);
  }

  /**
   * Parses the marker and name of a call at the front of the held text, and opens the call. Returns false while they
   * are incomplete.
   */
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

  /**
   * Takes the received arguments of the open call. Returns them as deltas, unless the call may still repeat an earlier
   * one.
   */
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

  /** Returns the number of held characters that certainly belong to the open call's arguments. */
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

  /** Closes the open call at its end marker. Returns false until the marker has arrived. */
  #close(): boolean {
    const open = this.#open;
    if (open === null || !open.ended) return false;
    const close = this.#held.text.indexOf(TOOL_CALL_CLOSE);
    if (close < 0) return false;
    this.#held.take(close + TOOL_CALL_CLOSE.length);
    this.#open = null;
    // A complete call without a delta repeats an earlier call, so it is not recorded again.
    if (open.told) this.#made.push(callSignature(open));
    this.#over = !open.told || this.#made.length >= this.#options.most;
    return true;
  }
}

/** Identifies a call by its name and arguments, to recognize a repeated call. */
function callSignature({ name, arguments: text }: OpenCall): string {
  return JSON.stringify(name) + text;
}

function trimEnd(pieces: readonly Piece[]): Piece[] {
  const buffer = new PieceBuffer();
  for (const piece of pieces) buffer.push(piece);
  return buffer.take(buffer.text.trimEnd().length);
}

function randomCallId(): string {
  const values = crypto.getRandomValues(new Uint32Array(CALL_ID_LENGTH));
  return `call_${[...values].map((value) => CALL_ID_LETTERS[value % CALL_ID_LETTERS.length]).join('')}`;
}
