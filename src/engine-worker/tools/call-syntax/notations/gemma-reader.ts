import { partialMarkLength } from '../partial-mark.ts';
import type { ArgumentReader, ReadPart } from './argument-notation.ts';
import { jsonText } from './json-text.ts';

/** Converts arguments in Gemma's notation to JSON while they are written. */
export class GemmaReader implements ArgumentReader {
  readonly #quote: string;
  /** The brackets that are open. */
  readonly #open: string[] = [];
  /** What is being read: the name of a property, the place of a value, or a string. */
  #inside: 'name' | 'value' | 'string' = 'value';
  /** Whether the place of a value is empty so far. A property without a value is null. */
  #isEmpty = true;
  /** Whether a comma was read. It is written as soon as a name or value follows. */
  #isAfterComma = false;

  constructor(quote: string) {
    this.#quote = quote;
  }

  read(text: string): ReadPart {
    let [length, json] = [0, ''];
    while (length < text.length) {
      const part = this.#next(text.slice(length));
      if (part === null) break;
      [length, json] = [length + part.length, json + part.json];
      if (part.ended) return { length, json, ended: true };
    }
    return { length, json, ended: false };
  }

  /** Reads one part from the front of the text; null while it is incomplete. */
  #next(text: string): ReadPart | null {
    if (this.#inside === 'string') return this.#readString(text);
    if (/^\s/.test(text)) return { length: 1, json: '', ended: false };
    return this.#inside === 'name' ? this.#readName(text) : this.#readValue(text);
  }

  #readString(text: string): ReadPart | null {
    const at = text.indexOf(this.#quote);
    const length = at >= 0 ? at : text.length - partialMarkLength(text, [this.#quote]);
    if (at < 0 && length === 0) return null;
    if (at >= 0) this.#inside = 'value';
    const json = jsonText(text.slice(0, length)) + (at >= 0 ? '"' : '');
    return { length: at >= 0 ? at + this.#quote.length : length, json, ended: false };
  }

  #readName(text: string): ReadPart | null {
    if (text.startsWith('}')) return this.#close('}');
    const end = text.indexOf(':');
    if (end < 0) return null;
    const json = `${this.#comma()}${JSON.stringify(text.slice(0, end).trim())}: `;
    [this.#inside, this.#isEmpty] = ['value', true];
    return { length: end + 1, json, ended: false };
  }

  #readValue(text: string): ReadPart | null {
    if (this.#quote.startsWith(text) && text !== this.#quote) return null;
    const character = text[0]!;
    if (character === '}' || character === ']') return this.#close(character);
    if (character === ',') {
      const json = this.#isEmpty ? `${this.#comma()}null` : '';
      [this.#inside, this.#isEmpty] = [this.#open.at(-1) === '{' ? 'name' : 'value', true];
      this.#isAfterComma = true;
      return { length: 1, json, ended: false };
    }
    const comma = this.#comma();
    this.#isEmpty = false;
    if (text.startsWith(this.#quote)) {
      this.#inside = 'string';
      return { length: this.#quote.length, json: `${comma}"`, ended: false };
    }
    if (character === '{' || character === '[') {
      this.#open.push(character);
      [this.#inside, this.#isEmpty] = [character === '{' ? 'name' : 'value', true];
    }
    return { length: 1, json: comma + character, ended: false };
  }

  /** Returns the comma before the name or value that begins. */
  #comma(): string {
    const comma = this.#isAfterComma ? ', ' : '';
    this.#isAfterComma = false;
    return comma;
  }

  #close(bracket: string): ReadPart {
    const isMissing = this.#inside === 'value' && this.#isEmpty && (bracket === '}' || this.#isAfterComma);
    const missing = isMissing ? `${this.#comma()}null` : '';
    this.#open.pop();
    [this.#inside, this.#isEmpty, this.#isAfterComma] = ['value', false, false];
    return { length: 1, json: missing + bracket, ended: this.#open.length === 0 };
  }
}
