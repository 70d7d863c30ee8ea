import type { ArgumentReader, ReadPart } from './argument-notation.ts';
import { JsonScanner } from './json-scanner.ts';

/** Reads arguments that are written as JSON: takes them as they are, up to the end of the object. */
export class JsonArguments implements ArgumentReader {
  readonly #scanner = new JsonScanner();
  #taken = 0;

  read(text: string): ReadPart {
    this.#scanner.push(text);
    const { end } = this.#scanner;
    const length = end === null ? text.length : end - this.#taken;
    this.#taken += length;
    return { length, json: text.slice(0, length), ended: end !== null };
  }
}
