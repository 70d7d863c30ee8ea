/** Scans a streamed JSON text to find where its first object or array ends. */
export class JsonScanner {
  #position = 0;
  #depth = 0;
  #quoted = false;
  #escaped = false;
  #end: number | null = null;

  /** Length of the text up to the end of its first object or array; null until that ends. */
  get end(): number | null {
    return this.#end;
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
    if (character === '"') this.#quoted = true;
    else if (character === '{' || character === '[') this.#depth++;
    else if (character === '}' || character === ']') {
      this.#depth--;
      if (this.#depth === 0) this.#end ??= this.#position;
    }
  }
}
