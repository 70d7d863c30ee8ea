import { EventStreamParser } from './event-stream-parser.ts';

/** Forms of a response body: Server-Sent Events, JSON (one document, or one a line), or other text. */
export type BodyForm = 'events' | 'json' | 'text';

/**
 * Splits the body of a server into blocks of Server-Sent Events, even if the server was asked for a stream and sends
 * JSON or other text. Each JSON document becomes a block of its own, other text becomes one block.
 */
export class BodyEventParser {
  readonly #events = new EventStreamParser();
  #form: BodyForm | null = null;
  /** Text whose form is unknown, or that is no complete JSON document. */
  #held: string[] = [];

  /** Null until the first characters have arrived. */
  get form(): BodyForm | null {
    return this.#form;
  }

  /** Number of characters that are kept until a block is complete. */
  get restLength(): number {
    return this.#form === 'events' ? this.#events.restLength : this.#held.reduce((sum, { length }) => sum + length, 0);
  }

  /** Adds text. Returns the blocks that it completes, with line feeds only. */
  push(text: string): string[] {
    if (this.#form === null) {
      const begin = this.#held.join('') + text;
      this.#form = formOf(begin);
      this.#held = this.#form === null ? [begin] : [];
      return this.#form === null ? [] : this.push(begin);
    }
    if (this.#form === 'events') return this.#events.push(text);
    this.#held.push(text);
    return this.#form === 'json' && text.includes('\n') ? this.#documents() : [];
  }

  /** Returns the blocks of what is left at the end of the body, which may be incomplete. */
  end(): string[] {
    if (this.#form === 'events') return [this.#events.rest];
    const rest = this.#held.join('');
    this.#held = [];
    if (rest.trim() === '') return [];
    const document = this.#form === 'json' ? parse(rest) : undefined;
    return document === undefined ? [blockOf(rest.trim())] : blocksOf(document);
  }

  /** Takes the complete documents out of the held text. A document may have several lines. */
  #documents(): string[] {
    const lines = this.#held.join('').split('\n');
    const blocks: string[] = [];
    let begun = '';
    for (const line of lines.slice(0, -1)) {
      begun += `${line}\n`;
      // Only a line that ends the document is parsed, because parsing at every line would take quadratic time.
      const mayEnd = begun.length === line.length + 1 || /^[\]}]/.test(line);
      const document = mayEnd ? parse(begun) : undefined;
      if (document === undefined) continue;
      blocks.push(...blocksOf(document));
      begun = '';
    }
    this.#held = [begun + (lines.at(-1) ?? '')];
    return blocks;
  }
}

/** Returns the form of a body that begins with a text; null if more of it is needed. */
function formOf(begin: string): BodyForm | null {
  const text = begin.trimStart();
  if (text === '') return null;
  if (/^[[{]/.test(text)) return 'json';
  if (/^(?:data|event|id|retry)?:/.test(text)) return 'events';
  return ['data:', 'event:', 'id:', 'retry:'].some((field) => field.startsWith(text)) ? null : 'text';
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function blocksOf(document: unknown): string[] {
  return (Array.isArray(document) ? document : [document]).map((entry) => blockOf(JSON.stringify(entry)));
}

function blockOf(text: string): string {
  return text.replace(/^/gm, 'data: ');
}
