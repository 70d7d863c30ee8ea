import type { ArgumentReader, ReadPart } from './argument-notation.ts';
import { jsonText } from './json-text.ts';

const CONSTANTS: ReadonlyMap<string, string> = new Map([
  ['True', 'true'],
  ['False', 'false'],
  ['None', 'null'],
]);

const WORD = /[\w.+-]/;

/** Python's escapes that JSON lacks, by the character after the backslash. Any other backslash stands for itself. */
const ESCAPES: Readonly<Record<string, string>> = { "'": "'", '/': '/', a: '\\u0007', v: '\\u000b', '0': '\\u0000' };

/** Converts the arguments of a call in Python to a JSON object, character by character. */
export class PythonicReader implements ArgumentReader {
  /** The part that is being read. A word is a name, a number or a constant. */
  #inside: 'names' | 'values' | 'word' | 'string' | 'escape' | 'hex' = 'names';
  /** The name of a parameter, a word, or the digits of `\x41`, as far as it was read. */
  #partial = '';
  #quote = '';
  /** Number of brackets that are open in the value. */
  #depth = 0;
  #count = 0;

  read(text: string): ReadPart {
    let json = '';
    for (let length = 0; length < text.length; length++) {
      const part = this.#next(text[length]!);
      if (part === null)
        return { length, json: `${json}${this.#flush()}${this.#count === 0 ? '{}' : '}'}`, ended: true };
      json += part;
    }
    return { length: text.length, json, ended: false };
  }

  /** Returns the JSON that a character completes; null if it ends the arguments. */
  #next(character: string): string | null {
    switch (this.#inside) {
      case 'names':
        return this.#inNames(character);
      case 'string':
        return this.#inString(character);
      case 'escape':
        return this.#escaped(character);
      case 'hex': {
        this.#partial += character;
        if (this.#partial.length < 2) return '';
        const digits = this.#flush();
        this.#inside = 'string';
        return `\\u00${digits}`;
      }
      case 'word':
        if (WORD.test(character)) {
          this.#partial += character;
          return '';
        }
        this.#inside = 'values';
        return this.#ends(character) ? null : this.#flush() + (this.#inValues(character) ?? '');
      case 'values':
        return this.#inValues(character);
    }
  }

  #inNames(character: string): string | null {
    if (character === ')') return null;
    if (character !== '=') {
      if (this.#partial !== '' || !/[\s,]/.test(character)) this.#partial += character;
      return '';
    }
    const name = JSON.stringify(this.#partial.trim());
    this.#partial = '';
    this.#inside = 'values';
    return `${this.#count++ === 0 ? '{' : ', '}${name}: `;
  }

  #inValues(character: string): string | null {
    if (this.#ends(character)) return null;
    if (character === ',' && this.#depth === 0) {
      this.#inside = 'names';
      return '';
    }
    if (character === '"' || character === "'") {
      [this.#inside, this.#quote] = ['string', character];
      return '"';
    }
    if (WORD.test(character)) {
      [this.#inside, this.#partial] = ['word', character];
      return '';
    }
    if (character === '[' || character === '{') this.#depth++;
    if (character === ']' || character === '}') this.#depth--;
    return character;
  }

  #ends(character: string): boolean {
    return character === ')' && this.#depth === 0;
  }

  #inString(character: string): string {
    if (character === '\\') {
      this.#inside = 'escape';
      return '';
    }
    if (character !== this.#quote) return jsonText(character);
    this.#inside = 'values';
    return '"';
  }

  #escaped(character: string): string {
    this.#inside = character === 'x' ? 'hex' : 'string';
    if (character === 'x') return '';
    if ('"\\nrtbfu'.includes(character)) return `\\${character}`;
    return ESCAPES[character] ?? `\\\\${jsonText(character)}`;
  }

  /** Ends a word. @returns its JSON. */
  #flush(): string {
    const word = this.#partial;
    this.#partial = '';
    return CONSTANTS.get(word) ?? word;
  }
}
