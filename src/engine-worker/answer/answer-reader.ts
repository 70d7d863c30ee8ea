import type { ToolCallDelta } from '../../shared/engine/completion-event.ts';
import { pieceText, type Piece } from './piece-buffer.ts';
import { ChannelSplitter } from './channel-splitter.ts';
import { LoopDetector } from './loop-detector.ts';
import { StopFilter } from './stop-filter.ts';
import { StrayCallFilter } from './stray-call-filter.ts';
import { ThinkingSplitter, type ThinkingMarkers } from './thinking-splitter.ts';
import type { CallSyntax } from '../tools/call-syntax/call-syntax.ts';
import { HERMES } from '../tools/call-syntax/call-syntaxes.ts';
import type { ToolCallParser } from './tool-call-parser.ts';

/** A part of an answer: only content, only reasoning, or only tool calls. */
export type AnswerPart =
  | { readonly type: 'content' | 'reasoning'; readonly pieces: readonly Piece[] }
  | { readonly type: 'toolCalls'; readonly toolCalls: readonly ToolCallDelta[] };

export interface AnswerReaderOptions {
  /** Stop sequences of the model's chat template, which end the model's turn. Within a tool call they are ordinary text. */
  readonly templateStops: readonly string[];
  /**
   * Stop sequences of the request. The reader searches for them in the content only, not in reasoning or tool calls.
   */
  readonly stops: readonly string[];
  /**
   * `open`: whether the prompt ends inside a thinking block. `onlyAtStart`: whether thinking can stand only before the answer,
   * whatever `thinksAgain` says. `channels`: the answer consists of messages in channels, as {@link ChannelSplitter}
   * describes. Null: thinking markers are not interpreted.
   */
  readonly thinking:
    | { readonly markers: ThinkingMarkers; readonly open: boolean; readonly onlyAtStart?: boolean }
    | 'channels'
    | null;
  /**
   * Whether the answer has a format, such as JSON. Thinking can stand only before it, and no marker has a meaning within it.
   * Default: false.
   */
  readonly hasFormat?: boolean;
  /** Whether a stop sequence of the template ends the answer. Default: unless the answer has a format. */
  readonly endsAsTurn?: boolean;
  /** Whether the model may think again after visible text. Default: unless the answer has a format. */
  readonly thinksAgain?: boolean;
  readonly tools: ToolCallParser | null;
  /**
   * Whether tool calls are treated as ordinary text, as in a raw completion. Default: false; then a tool call ends the
   * answer if the model has no tools.
   */
  readonly callsAreText?: boolean;
  /** The syntax in which the model was trained to write calls. It may do so without tools. Default: that of Hermes. */
  readonly syntax?: CallSyntax;
  /** Whether an answer that repeats itself endlessly is ended. Default: false. */
  readonly detectsLoops?: boolean;
  /**
   * A character that was put into the marks in the texts of the request, to make them letters. Where the model repeats one,
   * the mark is text, and the character is left out. Default: none.
   */
  readonly separator?: string | null;
}

/**
 * Splits the text that a model generates into reasoning, tool calls and content. The filters run in this order: thinking
 * blocks, tool calls (or, without tools, the beginning of a stray call), stop sequences of the template, stop sequences
 * of the request. The separator is left out before the last of them. The result does not depend on how the text arrives in
 * pieces.
 */
export class AnswerReader {
  /** The stop sequences of the template, in the content and in the reasoning. */
  readonly #turn: StopFilter;
  readonly #turnInReasoning: StopFilter;
  readonly #thinking: ThinkingSplitter | ChannelSplitter | null;
  readonly #tools: ToolCallParser | null;
  readonly #strayCall: StrayCallFilter | null;
  readonly #answer: StopFilter;
  readonly #loops: LoopDetector | null;
  readonly #separator: string | null;
  #isEmpty = true;
  /** Whether a length limit ended the answer. Its end may then show that the model had begun a call. */
  #isCut = false;
  #hasCalls = false;

  constructor({
    templateStops,
    stops,
    thinking,
    tools,
    callsAreText = false,
    syntax = HERMES,
    detectsLoops = false,
    hasFormat = false,
    endsAsTurn = !hasFormat,
    thinksAgain = !hasFormat,
    separator = null,
  }: AnswerReaderOptions) {
    this.#turn = new StopFilter(endsAsTurn ? templateStops : []);
    this.#turnInReasoning = new StopFilter(templateStops);
    this.#thinking =
      thinking === 'channels'
        ? new ChannelSplitter(hasFormat, tools)
        : thinking &&
          new ThinkingSplitter(thinking.markers, {
            open: thinking.open,
            hasFormat,
            onlyAtStart: thinking.onlyAtStart === true || !thinksAgain,
            hasGrammar: hasFormat || tools !== null,
            isInCall: () => tools?.isInCall === true,
          });
    this.#tools = tools;
    this.#strayCall = callsAreText || tools ? null : new StrayCallFilter(straySyntaxes(syntax));
    this.#answer = new StopFilter(stops);
    this.#loops = detectsLoops ? new LoopDetector() : null;
    this.#separator = separator;
  }

  /** Whether the answer is complete. Any further output of the model is ignored. */
  get complete(): boolean {
    const calledNoTool = this.calledNoTool && !this.#isCut;
    return this.#isStopped || this.#tools?.over === true || calledNoTool || this.isStuck;
  }

  get #isStopped(): boolean {
    return this.#turn.stopped || this.#turnInReasoning.stopped || this.#answer.stopped;
  }

  /** Whether the answer has a tool call, complete or not. */
  get hasCalls(): boolean {
    return this.#hasCalls;
  }

  /** Whether the answer ended because the model repeated itself endlessly. */
  get isStuck(): boolean {
    return this.#loops?.found === true;
  }

  /** Whether the answer ended because the model began a call without having tools, or a call of none of them. */
  get calledNoTool(): boolean {
    const isInChannels = this.#thinking instanceof ChannelSplitter;
    return this.#strayCall?.found === true || (isInChannels && this.#thinking.calledNoTool);
  }

  /**
   * Whether the answer has no visible text, no reasoning and no tool call, although neither a stop sequence of the request
   * ended it, nor a limit before anything but a call that the model has no tool for.
   */
  get isEmpty(): boolean {
    return this.#isEmpty && !this.#answer.stopped;
  }

  /** The stop sequence of the request that ended the answer; null if none did. */
  get stopSequence(): string | null {
    return this.#answer.found;
  }

  get thinking(): boolean {
    return this.#thinking?.thinking ?? false;
  }

  push(piece: Piece): AnswerPart[] {
    return this.#noted([...this.#split(piece)]);
  }

  /**
   * Ends the answer after the model has stopped generating. Returns the parts that the filters still held back.
   * @param cut Whether a length limit ended the answer rather than the model.
   */
  end(cut: boolean): AnswerPart[] {
    const parts: AnswerPart[] = [];
    this.#isCut = cut && !this.complete;
    for (const { channel, pieces } of this.#thinking?.end() ?? []) parts.push(...this.#route(channel, pieces));
    parts.push(...reasoningParts(this.#plain(this.#turnInReasoning.end())));
    parts.push(...this.#throughStops(this.#tools?.end(cut) ?? this.#strayCall?.end(cut) ?? []));
    const last = this.#plain(this.#turn.end()).flatMap((piece) => this.#answer.push(piece));
    if (cut && !this.calledNoTool) this.#isEmpty = false;
    return this.#noted([...parts, ...contentParts(last), ...contentParts(this.#answer.end())]);
  }

  /** Records reasoning that the engine has separated from the text. The answer then does not count as empty. */
  noteReasoning(text: string): void {
    this.#isEmpty = false;
    this.#loops?.push(text);
  }

  #noted(parts: AnswerPart[]): AnswerPart[] {
    for (const part of parts) {
      const text = part.type === 'toolCalls' ? null : pieceText(part.pieces);
      if (text?.trim() !== '') this.#isEmpty = false;
      if (text === null) this.#hasCalls = true;
      else this.#loops?.push(text);
    }
    return parts;
  }

  /** Yields the parts one by one: a later one depends on whether the tool calls' parser found a call in an earlier one. */
  *#split(piece: Piece): Generator<AnswerPart, undefined> {
    if (!this.#thinking) return yield* this.#route('content', [piece]);
    for (const { channel, pieces } of this.#thinking.push(piece)) yield* this.#route(channel, pieces);
    return undefined;
  }

  *#route(channel: 'reasoning' | 'content', pieces: readonly Piece[]): Generator<AnswerPart, undefined> {
    const reasoning = channel === 'reasoning' ? pieces.flatMap((piece) => this.#turnInReasoning.push(piece)) : [];
    const rest = channel === 'content' ? this.#turnInReasoning.end() : [];
    yield* reasoningParts(this.#plain([...reasoning, ...rest]));
    if (channel === 'reasoning') return undefined;
    for (const piece of pieces) {
      const { content, toolCalls } = this.#tools?.push(piece) ?? {
        content: this.#strayCall?.push(piece) ?? [piece],
        toolCalls: [],
      };
      yield* this.#throughStops(content);
      if (!this.#isStopped)
        yield* callParts(toolCalls.map((call) => ({ ...call, arguments: this.#plainText(call.arguments) })));
    }
    return undefined;
  }

  #throughStops(pieces: readonly Piece[]): AnswerPart[] {
    if (this.#turnInReasoning.stopped) return [];
    const inTurn = this.#plain(pieces.flatMap((piece) => this.#turn.push(piece)));
    return contentParts(inTurn.flatMap((piece) => this.#answer.push(piece)));
  }

  /** Returns pieces without the separator. */
  #plain(pieces: readonly Piece[]): readonly Piece[] {
    if (this.#separator === null) return pieces;
    return pieces.map((piece) => ({ ...piece, text: this.#plainText(piece.text) })).filter(({ text }) => text !== '');
  }

  #plainText(text: string): string {
    return this.#separator === null ? text : text.replaceAll(this.#separator, '');
  }
}

function reasoningParts(pieces: readonly Piece[]): AnswerPart[] {
  return pieces.length > 0 ? [{ type: 'reasoning', pieces }] : [];
}

function contentParts(pieces: readonly Piece[]): AnswerPart[] {
  return pieces.length > 0 ? [{ type: 'content', pieces }] : [];
}

function callParts(toolCalls: readonly ToolCallDelta[]): AnswerPart[] {
  return toolCalls.length > 0 ? [{ type: 'toolCalls', toolCalls }] : [];
}

/**
 * Returns the syntaxes of the calls that a model may write without having tools: its own, and Hermes', which many models have
 * seen. One whose mark may begin an ordinary answer is none of them.
 */
function straySyntaxes(syntax: CallSyntax): readonly CallSyntax[] {
  return syntax.isWholeAnswer ? [HERMES] : [...new Set([syntax, HERMES])];
}
