import { partialMarkLength } from '../partial-mark.ts';
import type { ArgumentReader, ReadPart } from './argument-notation.ts';

/** Reads the input of a custom tool that is written as it is, up to a mark. `json` of its parts is that plain text. */
export class PlainText implements ArgumentReader {
  readonly #end: string;

  constructor(end: string) {
    this.#end = end;
  }

  read(text: string): ReadPart {
    const at = text.indexOf(this.#end);
    const length = at >= 0 ? at : text.length - partialMarkLength(text, [this.#end]);
    return { length, json: text.slice(0, length), ended: at >= 0 };
  }
}
