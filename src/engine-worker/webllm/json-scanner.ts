/**
 * Most white space in a row between the parts of a JSON text. Grammars allow it without end, and small
 * models fall into it; no formatting indents as far.
 */
const MOST_BLANKS = 100;

/** Follows a JSON text while it grows: where its value ends, and whether it still gets anywhere. */
export class JsonScanner {
  #position = 0;
  #depth = 0;
  #quoted = false;
  #escaped = false;
  #blanks = 0;
  #end: number | null = null;

  /** Length of the text up to the end of its first object or array; null while that is open. */
  get end(): number | null {
    return this.#end;
  }

  /** Whether nothing but white space has come for so long that nothing else will. */
  get stuck(): boolean {
    return this.#blanks > MOST_BLANKS;
  }

  push(text: string): void {
    for (const character of text) {
      this.#position += character.length;
      this.#read(character);
    }
  }

  #read(character: string): void {
    if (this.#quoted) {
      if (this.#escaped) this.#escaped = false;
      else if (character === '\\') this.#escaped = true;
      else if (character === '"') this.#quoted = false;
      return;
    }
    this.#blanks = /\s/.test(character) ? this.#blanks + 1 : 0;
    if (character === '"') this.#quoted = true;
    else if (character === '{' || character === '[') this.#depth++;
    else if (character === '}' || character === ']') {
      this.#depth--;
      if (this.#depth === 0) this.#end ??= this.#position;
    }
  }
}
