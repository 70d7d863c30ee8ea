import { PieceBuffer, type Piece } from './piece-buffer.ts';
import type { ThinkingPart } from './thinking-splitter.ts';

const CHANNEL = '<|channel|>';
const MESSAGE = '<|message|>';

/** Tokens that end a message of an answer, or begin the next one. */
const BORDERS = ['<|end|>', '<|start|>', CHANNEL, '<|return|>', '<|call|>'];

/** How the header of a message begins. */
const HEADERS = ['<|', 'to=', 'assistant', 'analysis', 'commentary', 'final'];

/** Matches the header of a message that calls a function, in which the name may stand before the channel or after it. */
const RECIPIENT = /to=(?:functions\.)?([^\s<]+)/;

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
  readonly #mayCall: (name: string) => boolean;
  /** Whether text of a message that is content was released. */
  #hasContent = false;

  /**
   * @param hasFormat Whether the content is JSON or has another format, in which marks are part of a string.
   * @param mayCall Returns whether there is a function of this name that the answer may call.
   */
  constructor(hasFormat: boolean, mayCall: (name: string) => boolean) {
    this.#hasFormat = hasFormat;
    this.#mayCall = mayCall;
  }

  /** Whether a message to an unknown recipient was found. All further text is then discarded. */
  get calledNoTool(): boolean {
    return this.#calledNoTool;
  }

  get thinking(): boolean {
    return this.#part === 'reasoning';
  }

  push(piece: Piece): ThinkingPart[] {
    if (this.#calledNoTool) return [];
    this.#held.push(piece);
    const parts: ThinkingPart[] = [];
    while (this.#part === 'header' ? this.#readHeader(parts) : this.#readMessage(parts));
    return parts;
  }

  end(): ThinkingPart[] {
    const parts: ThinkingPart[] = [];
    const { text } = this.#held;
    if (this.#part === 'header') {
      if (!text.includes('<|') && !/^\s*to=/.test(text)) this.#release(parts, text.length, 'content');
    } else if (this.#part === 'call') this.#release(parts, text.length, 'content');
    else this.#release(parts, this.#part === 'reasoning' ? text.trimEnd().length : text.length, this.#part);
    return parts;
  }

  /** Reads up to the text of the next message. Returns whether it was found. */
  #readHeader(parts: ThinkingPart[]): boolean {
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
    if (name !== undefined && !this.#mayCall(name)) {
      this.#held.take(this.#held.text.length);
      this.#calledNoTool = true;
      return false;
    }
    this.#part = name !== undefined ? 'call' : header.includes('analysis') ? 'reasoning' : 'content';
    this.#front = true;
    if (name !== undefined) {
      const begin = `${CHANNEL}commentary to=functions.${name} <|constrain|>json${MESSAGE}`;
      parts.push({ channel: 'content', pieces: [{ text: begin, logprobs: [] }] });
    }
    return true;
  }

  /** Releases the text of the current message. Returns whether its end was found. */
  #readMessage(parts: ThinkingPart[]): boolean {
    const { text } = this.#held;
    const channel = this.#part === 'reasoning' ? 'reasoning' : 'content';
    const isText = this.#hasFormat && this.#part === 'content';
    const ends = isText ? [] : BORDERS.map((border) => text.indexOf(border)).filter((at) => at >= 0);
    if (ends.length === 0) {
      const certain = this.#held.certainText(BORDERS);
      this.#release(
        parts,
        this.#part === 'call' ? certain.length : this.#held.uncut(certain.trimEnd().length),
        channel,
      );
      return false;
    }
    const end = Math.min(...ends);
    if (this.#part === 'call') this.#release(parts, end, channel);
    else {
      const message = text.slice(0, end);
      this.#release(parts, message.trimEnd().length, channel);
      this.#held.take(this.#held.text.length - text.slice(end).length);
    }
    const border = BORDERS.find((each) => this.#held.text.startsWith(each))!;
    if (border !== CHANNEL) this.#held.take(border.length);
    this.#part = 'header';
    return true;
  }

  #release(parts: ThinkingPart[], length: number, channel: ThinkingPart['channel']): void {
    if (this.#front) {
      const blank = this.#held.text.length - this.#held.text.trimStart().length;
      this.#held.take(Math.min(blank, length));
      length = Math.max(0, length - blank);
    }
    if (length === 0) return;
    if (channel === 'content' && this.#part !== 'call') {
      // A message before the final one is a paragraph of its own.
      if (this.#front && this.#hasContent) parts.push({ channel, pieces: [{ text: '\n\n', logprobs: [] }] });
      this.#hasContent = true;
    }
    this.#front = false;
    parts.push({ channel, pieces: this.#held.take(length) });
  }
}
