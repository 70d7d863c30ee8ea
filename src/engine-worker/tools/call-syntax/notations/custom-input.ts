import type { ArgumentReader, ReadPart } from './argument-notation.ts';

/** Matches the JSON up to the text of the only property. */
const BEGIN = /^\s*\{\s*"(?:[^"\\]|\\.)*"\s*:\s*"/;

/** Reads the input of a custom tool that is called as a function with one string. `json` of its parts is that text. */
export class CustomInputReader implements ArgumentReader {
  readonly #arguments: ArgumentReader;
  /** The JSON that was not converted to text yet. */
  #json = '';
  #state: 'before' | 'inside' | 'after' = 'before';

  constructor(reader: ArgumentReader) {
    this.#arguments = reader;
  }

  read(text: string): ReadPart {
    const part = this.#arguments.read(text);
    this.#json += part.json;
    return { ...part, json: this.#text() };
  }

  #text(): string {
    if (this.#state === 'before') {
      const begin = BEGIN.exec(this.#json);
      if (begin === null) return '';
      this.#json = this.#json.slice(begin[0].length);
      this.#state = 'inside';
    }
    if (this.#state === 'after') return '';
    // Whole characters and escapes only; a surrogate pair of two escapes is joined by JSON.parse or by the receiver.
    const [complete = ''] = /^(?:[^"\\]|\\u[0-9a-fA-F]{4}|\\[^u])*/.exec(this.#json) ?? [];
    this.#json = this.#json.slice(complete.length);
    if (this.#json.startsWith('"')) this.#state = 'after';
    return JSON.parse(`"${complete}"`) as string;
  }
}
