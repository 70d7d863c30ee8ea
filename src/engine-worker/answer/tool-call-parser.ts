import type { ToolCallDelta } from '../../shared/engine/completion-event.ts';
import type { CompletionRequest, Tool } from '../../shared/engine/completion-request.ts';
import { allowsOneCall } from '../tools/allows-one-call.ts';
import { callForm, type CallForm } from '../tools/call-syntax/call-form.ts';
import type { CallSyntax } from '../tools/call-syntax/call-syntax.ts';
import { HERMES } from '../tools/call-syntax/call-syntaxes.ts';
import { callableTools } from '../tools/call-syntax/calls-grammar.ts';
import { indexOfAny } from '../tools/call-syntax/index-of-any.ts';
import { matchCall, type CallMatch } from '../tools/call-syntax/match-call.ts';
import { matchParts } from '../tools/call-syntax/match-parts.ts';
import type { ArgumentReader } from '../tools/call-syntax/notations/argument-notation.ts';
import { PieceBuffer, type Piece } from './piece-buffer.ts';
import { randomCallId } from './random-call-id.ts';

/** Model output, split into content and deltas of tool calls. */
export interface ParsedOutput {
  readonly content: readonly Piece[];
  readonly toolCalls: readonly ToolCallDelta[];
}

export interface ToolCallParserOptions {
  /** The tools that the answer may call. */
  readonly tools: readonly Tool[];
  /** Maximum number of tool calls in one answer. */
  readonly most: number;
  /** The syntax of the model's calls. Default: that of Hermes. */
  readonly syntax?: CallSyntax;
  /** Whether a call can stand only at the beginning of the answer. Later its mark is text. Default: false. */
  readonly onlyAtStart?: boolean;
}

/** The tool call that the model is writing. Its name is known, and its arguments have begun. */
interface OpenCall {
  readonly form: CallForm;
  readonly reader: ArgumentReader;
  /** The arguments so far, as JSON, or the plain-text input of a custom tool. */
  arguments: string;
  /** Pieces of the arguments that were not yet emitted as deltas. */
  readonly untold: string[];
  /** Whether the first delta of this call, with its id and name, was emitted. */
  told: boolean;
  /** Whether the arguments are complete. */
  ended: boolean;
}

/** Creates the parser for the answer to a request; null if the request has no tools. */
export function toolCallParserOf(request: CompletionRequest, syntax: CallSyntax = HERMES): ToolCallParser | null {
  if (request.tools.length === 0 || request.toolChoice === 'none') return null;
  return new ToolCallParser({
    tools: callableTools(request),
    most: allowsOneCall(request) ? 1 : Number.POSITIVE_INFINITY,
    syntax,
    // Only free text can be followed by a call. Within an answer of a format, the mark is a part of that answer.
    onlyAtStart: request.responseFormat.type !== 'text',
  });
}

/**
 * Separates content from tool calls. The deltas of a call are streamed once its name is known and it differs from every
 * earlier call. If the answer is cut off, its last call stays incomplete.
 *
 * The answer is over when the model has made the maximum number of calls, writes text after a call, or repeats a call.
 * Without this, small models would repeat the same call until the length limit.
 */
export class ToolCallParser {
  readonly #syntax: CallSyntax;
  readonly #forms: readonly CallForm[];
  readonly #most: number;
  /** Whether a call can begin only where the answer begins. */
  readonly #onlyAtStart: boolean;
  readonly #held = new PieceBuffer();
  /** The {@link callSignature} of each completed call. */
  readonly #made: string[] = [];
  /** Whether the answer has begun with something other than a call, so that the rest is content. */
  #isText = false;
  #over = false;
  #open: OpenCall | null = null;

  constructor({ tools, most, syntax = HERMES, onlyAtStart = false }: ToolCallParserOptions) {
    this.#syntax = syntax;
    this.#forms = tools.map((tool) => callForm(tool, syntax));
    this.#most = most;
    this.#onlyAtStart = onlyAtStart || syntax.isWholeAnswer === true;
  }

  /**
   * Whether the text received so far ends inside the calls, or inside what certainly begins one. What follows then has no
   * other meaning, whatever markers it contains.
   */
  get isInCall(): boolean {
    return this.#open !== null || this.#made.length > 0 || this.#findCall() !== null;
  }

  /** Whether there is a tool of this name that the answer may call. */
  knows(name: string): boolean {
    return this.#forms.some(({ tool }) => tool.name === name);
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
      if (this.#open === null && !(this.#made.length === 0 ? this.#beginFirst(content) : this.#beginNext())) break;
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
    const isCall = this.#made.length > 0 || this.#open !== null;
    // An answer of a format that ends like the beginning of a call is no call: the grammar lets no call end there.
    const begins = !this.#onlyAtStart && text.includes(this.#syntax.mark) && this.#findCall() !== null;
    return (cut && !this.#isText) || isCall || begins ? [] : this.#held.take(text.length);
  }

  /** Moves text before the first call to `content`, and opens the call. Returns false while none has begun. */
  #beginFirst(content: Piece[]): boolean {
    const { text } = this.#held;
    const found = this.#findCall();
    if (found === null) {
      if (this.#onlyAtStart && text !== '') this.#isText = true;
      // White space stays held back, because a call may follow it.
      const certain = this.#isText
        ? text.length
        : this.#held.uncut(this.#held.certainText(this.#marks).trimEnd().length);
      content.push(...this.#held.take(certain));
      return false;
    }
    const before = text.slice(0, found.at).trimEnd();
    content.push(...this.#held.take(before.length));
    return found.match !== 'incomplete' && this.#openAt(found.at - before.length, found.match);
  }

  /** Finds the first place of the held text where a call begins, or may begin; null if there is none. */
  #findCall(): { readonly at: number; readonly match: NonNullable<CallMatch> } | null {
    const { text } = this.#held;
    if (this.#isText) return null;
    if (this.#onlyAtStart) {
      const match = text === '' ? null : this.#matchFirst(text);
      return match && { at: 0, match };
    }
    for (let at = indexOfAny(text, this.#marks); at >= 0; at = indexOfAny(text, this.#marks, at + 1)) {
      const match = this.#matchFirst(text.slice(at));
      // A mark that no call follows is text.
      if (match !== null) return { at, match };
    }
    return null;
  }

  get #marks(): readonly string[] {
    const { mark, mayBegin } = this.#syntax;
    return mayBegin === undefined ? [mark] : [mark, mayBegin];
  }

  #matchFirst(text: string): CallMatch {
    const { open = '', mayBegin = '' } = this.#syntax;
    if (text.length < mayBegin.length && mayBegin.startsWith(text)) return 'incomplete';
    const begun = text.startsWith(mayBegin) ? mayBegin.length : 0;
    const match = matchCall(this.#forms, open, text.slice(begun));
    return match === null || match === 'incomplete' ? match : { ...match, length: begun + match.length };
  }

  /** Opens the next call after a complete one. Returns false while it has not begun, and if the answer is over. */
  #beginNext(): boolean {
    const { separator, close = '' } = this.#syntax;
    const { text } = this.#held;
    const lead = text.length - text.trimStart().length;
    const rest = text.slice(lead);
    if (rest === '') return false;
    const match = separator === null ? null : matchCall(this.#forms, separator.trimStart(), rest);
    if (match !== null && match !== 'incomplete') return this.#openAt(lead, match);
    const closing = close.trimStart();
    this.#over = match === null && (rest.length >= closing.length || !closing.startsWith(rest));
    return false;
  }

  #openAt(at: number, { form, length }: Exclude<CallMatch, string | null>): boolean {
    this.#held.take(at + length);
    this.#open = { form, reader: form.reader(), arguments: '', untold: [], told: false, ended: false };
    return true;
  }

  /**
   * Takes the received arguments of the open call. Returns them as deltas, unless the call may still repeat an earlier
   * one.
   */
  #arguments(): ToolCallDelta[] {
    const open = this.#open;
    if (open === null || open.ended) return [];
    const { length, json, ended } = open.reader.read(this.#held.text);
    this.#held.take(length);
    open.ended = ended;
    open.arguments += json;
    if (json !== '') open.untold.push(json);
    const signature = callSignature(open);
    if (this.#made.some((made) => (ended ? made === signature : made.startsWith(signature)))) return [];
    const { name, custom } = open.form.tool;
    const index = this.#made.length;
    const kind = custom === undefined ? {} : ({ custom: true } as const);
    const deltas = open.untold.splice(0).map((piece) => ({ index, arguments: piece, ...kind }));
    if (open.told) return deltas;
    open.told = true;
    return [{ index, id: randomCallId(), name, arguments: '', ...kind }, ...deltas];
  }

  /** Closes the open call at its end. Returns false until the end has arrived. */
  #close(): boolean {
    const open = this.#open;
    if (open === null || !open.ended) return false;
    const end = matchParts(open.form.end, this.#held.text);
    if (end === 'incomplete') return false;
    this.#held.take(end ?? 0);
    this.#open = null;
    // A complete call without a delta repeats an earlier call, so it is not recorded again.
    if (open.told) this.#made.push(callSignature(open));
    const isLast = end === null || this.#syntax.separator === null || this.#made.length >= this.#most;
    this.#over = !open.told || isLast;
    return true;
  }
}

/** Identifies a call by its name and arguments, to recognize a repeated call. */
function callSignature({ form, arguments: text }: OpenCall): string {
  return JSON.stringify(form.tool.name) + text;
}
