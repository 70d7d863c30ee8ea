import { PieceBuffer, type Piece } from './piece-buffer.ts';
import type { ToolCallParser } from './tool-call-parser.ts';
import type { ThinkingPart } from './thinking-splitter.ts';

const CHANNEL = '<|channel|>';
const MESSAGE = '<|message|>';

/** Tokens that end a message of an answer, or begin the next one. */
const BORDERS = ['<|end|>', '<|start|>', CHANNEL, '<|return|>', '<|call|>'];

/** How the header of a message begins. */
const HEADERS = ['<|', 'to=', 'assistant', 'analysis', 'commentary', 'final'];

/** Matches the header of a message that calls a function, in which the name may stand before the channel or after it. */
const RECIPIENT = /to=(?:functions\.)?([^\s<]+)/;

/** What the splitter asks the parser of the content that it has yielded so far. */
type CallState = Pick<ToolCallParser, 'knows' | 'isInCall'>;

/**
 * Separates an answer in OpenAI's format Harmony into reasoning and content. Such an answer consists of messages, each
 * with a channel: `<|channel|>analysis<|message|>…<|end|><|start|>assistant<|channel|>final<|message|>…`. The channel
 * `analysis` is reasoning; the others are content. A message to a function that may be called is a tool call: it gets the
 * header that {@link ToolCallParser} knows. A message to another recipient ends the answer before it.
 */
export class ChannelSplitter {
  readonly #held = new PieceBuffer();
  #part: 'header' | 'reasoning' | 'content' | 'call' = 'header';
  /** Whether no text of the current message was released yet. White space is dropped there. */
  #front = true;

  #calledNoTool = false;

  readonly #hasFormat: boolean;
  readonly #calls: CallState | null;
  /** Whether text of a message that is content was released. */
  #hasContent = false;

  /**
   * @param hasFormat Whether the content is JSON or has another format, in which marks are part of a string.
   * @param calls The parser of the tool calls in the content; null if the answer may call no function.
   */
  constructor(hasFormat: boolean, calls: CallState | null) {
    this.#hasFormat = hasFormat;
    this.#calls = calls;
  }

  /** Whether a message to an unknown recipient was found. All further text is then discarded. */
  get calledNoTool(): boolean {
    return this.#calledNoTool;
  }

  get thinking(): boolean {
    return this.#part === 'reasoning';
  }

  *push(piece: Piece): Generator<ThinkingPart, undefined> {
    if (this.#calledNoTool) return undefined;
    this.#held.push(piece);
    while (yield* this.#part === 'header' ? this.#readHeader() : this.#readMessage());
    return undefined;
  }

  end(): ThinkingPart[] {
    const { text } = this.#held;
    if (this.#part === 'header') {
      const isHeader = text.includes('<|') || /^\s*to=/.test(text);
      return isHeader ? [] : [...this.#release(text.length, 'content')];
    }
    if (this.#part === 'call') return [...this.#release(text.length, 'content')];
    return [...this.#release(this.#part === 'reasoning' ? text.trimEnd().length : text.length, this.#part)];
  }

  /** Reads up to the text of the next message. Returns whether it was found. */
  *#readHeader(): Generator<ThinkingPart, boolean> {
    const { text } = this.#held;
    const end = text.indexOf(MESSAGE);
    if (end < 0) {
      const begun = text.trimStart();
      if (HEADERS.some((header) => header.startsWith(begun) || begun.startsWith(header))) return false;
      // An answer without channels, as of a model that was not trained to write them.
      this.#part = 'content';
      return true;
    }
    const header = text.slice(0, end);
    const [, name] = RECIPIENT.exec(header) ?? [];
    this.#held.take(end + MESSAGE.length);
    if (name !== undefined && this.#calls?.knows(name) !== true) {
      this.#held.take(this.#held.text.length);
      this.#calledNoTool = true;
      return false;
    }
    this.#part = name !== undefined ? 'call' : header.includes('analysis') ? 'reasoning' : 'content';
    this.#front = true;
    if (name !== undefined) {
      const begin = `${CHANNEL}commentary to=functions.${name} <|constrain|>json${MESSAGE}`;
      yield { channel: 'content', pieces: [{ text: begin, logprobs: [] }] };
    }
    return true;
  }

  /** Releases the text of the current message. Returns whether its end was found. */
  *#readMessage(): Generator<ThinkingPart, boolean> {
    const { text } = this.#held;
    const channel = this.#part === 'reasoning' ? 'reasoning' : 'content';
    if ((this.#hasFormat && this.#part === 'content') || (this.#part === 'call' && this.#calls?.isInCall === true)) {
      yield* this.#release(text.length, channel);
      return false;
    }
    const ends = BORDERS.map((border) => text.indexOf(border)).filter((at) => at >= 0);
    if (ends.length === 0) {
      const certain = this.#held.certainText(BORDERS);
      const length = this.#part === 'call' ? certain.length : this.#held.uncut(certain.trimEnd().length);
      yield* this.#release(length, channel);
      return false;
    }
    const end = Math.min(...ends);
    if (this.#part === 'call') yield* this.#release(end, channel);
    else {
      const message = text.slice(0, end);
      yield* this.#release(message.trimEnd().length, channel);
      this.#held.take(this.#held.text.length - text.slice(end).length);
    }
    const border = BORDERS.find((each) => this.#held.text.startsWith(each))!;
    if (border !== CHANNEL) this.#held.take(border.length);
    this.#part = 'header';
    return true;
  }

  *#release(length: number, channel: ThinkingPart['channel']): Generator<ThinkingPart, undefined> {
    // The grammar of a format lets no white space precede it here, so it belongs to the answer.
    if (this.#front && !(this.#hasFormat && this.#part === 'content')) {
      const blank = this.#held.text.length - this.#held.text.trimStart().length;
      this.#held.take(Math.min(blank, length));
      length = Math.max(0, length - blank);
    }
    if (length === 0) return undefined;
    if (channel === 'content' && this.#part !== 'call') {
      // A message before the final one is a paragraph of its own.
      if (this.#front && this.#hasContent) yield { channel, pieces: [{ text: '\n\n', logprobs: [] }] };
      this.#hasContent = true;
    }
    this.#front = false;
    yield { channel, pieces: this.#held.take(length) };
    return undefined;
  }
}
