import { partialMarkLength } from '../partial-mark.ts';
import type { ArgumentReader, ReadPart } from './argument-notation.ts';
import { isJson, jsonText } from './json-text.ts';
import type { Tags } from './tagged-arguments.ts';

/**
 * Reads tagged arguments. A string becomes JSON while it is written, any other value when it is complete. The arguments
 * end where no further tag begins.
 */
export class TaggedReader implements ArgumentReader {
  readonly #tags: Tags;
  readonly #texts: ReadonlySet<string>;
  /** What is being read: the tags between two values, or a value: the beginning of a text, the rest of it, or JSON. */
  #inside: 'tags' | 'text' | 'unquoted' | 'quoted' | 'json' = 'tags';
  #count = 0;

  /** @param texts Names of the parameters whose values are strings. */
  constructor(tags: Tags, texts: ReadonlySet<string>) {
    this.#tags = tags;
    this.#texts = texts;
  }

  read(text: string): ReadPart {
    let [length, json] = [0, ''];
    for (;;) {
      const rest = text.slice(length);
      const part = this.#inside === 'tags' ? this.#readTag(rest) : this.#readValue(rest);
      if (part === null) return { length, json, ended: false };
      [length, json] = [length + part.length, json + part.json];
      if (part.ended) return { length, json, ended: true };
    }
  }

  /** Reads a tag up to the value, or the end of the arguments; null while it is incomplete. */
  #readTag(text: string): ReadPart | null {
    const { before, beforeText, beforeJson = beforeText } = this.#tags;
    if (!text.startsWith(before)) {
      if (before.startsWith(text)) return null;
      return { length: 0, json: this.#count === 0 ? '{}' : '}', ended: true };
    }
    const nameEnd = text.indexOf(beforeText.slice(0, 1), before.length);
    if (nameEnd < 0) return null;
    const name = text.slice(before.length, nameEnd);
    const isText = this.#texts.has(name);
    const length = nameEnd + (isText ? beforeText : beforeJson).length;
    if (text.length < length) return null;
    this.#inside = isText ? 'text' : 'json';
    const json = `${this.#count++ === 0 ? '{' : ', '}${JSON.stringify(name)}: ${isText ? '"' : ''}`;
    return { length, json, ended: false };
  }

  /** Reads what is certain of a value; null if that is nothing. */
  #readValue(text: string): ReadPart | null {
    if (this.#inside === 'json') return this.#readJson(text, this.#tags.end);
    const quote = this.#inside === 'text' ? this.#tags.quotes?.[0] : undefined;
    if (quote !== undefined && text.startsWith(quote)) {
      this.#inside = 'quoted';
      return { length: quote.length, json: '', ended: false };
    }
    if (quote?.startsWith(text)) return null;
    const end = (this.#inside === 'quoted' ? this.#tags.quotes![1] : '') + this.#tags.end;
    const at = text.indexOf(end);
    const length = at >= 0 ? at : text.length - partialMarkLength(text, [end]);
    if (at < 0 && length === 0) return null;
    if (at >= 0) this.#inside = 'tags';
    // Only the beginning of a text can be its opening mark.
    else if (this.#inside === 'text') this.#inside = 'unquoted';
    const closing = at >= 0 ? '"' : '';
    return {
      length: at >= 0 ? at + end.length : length,
      json: jsonText(text.slice(0, length)) + closing,
      ended: false,
    };
  }

  /** Reads a whole value. The end mark may also stand in a string of it, where the text before it is not JSON. */
  #readJson(text: string, end: string): ReadPart | null {
    const first = text.indexOf(end);
    for (let at = first; at >= 0; at = text.indexOf(end, at + 1)) {
      if (isJson(text.slice(0, at))) return this.#value(text.slice(0, at), at + end.length);
    }
    // Without a grammar a model may write a string here, which is quoted, so that the arguments stay JSON.
    if (first < 0 || /^\s*[{["]/.test(text)) return null;
    return this.#value(JSON.stringify(text.slice(0, first)), first + end.length);
  }

  #value(json: string, length: number): ReadPart {
    this.#inside = 'tags';
    return { length, json, ended: false };
  }
}
