import type { CodedText } from '../../../shared/coded-sentence.ts';
import { say } from '../../strings/say.ts';

/** Why a file cannot be used. */
export class GgufFault extends Error {
  override readonly name = 'GgufFault' as const;
  readonly words: CodedText;

  constructor(words: CodedText) {
    super(words.text);
    this.words = words;
  }
}

/** Thrown when the header continues beyond the bytes that have been read. The reader then fetches more bytes. */
export class ReadBeyond extends Error {}

/** Limit of the bytes in a key or value. Chat templates have up to some 20 kB. */
const MAX_STRING = 2 ** 22;

/** Limit of the elements in an array. Vocabularies have up to 260,000. */
const MAX_ELEMENTS = 2 ** 22;

/** Size in bytes of a value, by its type. Type 8 (string) and type 9 (array) have no fixed size. */
const SIZES: Readonly<Record<number, number>> = { 0: 1, 1: 1, 2: 2, 3: 2, 4: 4, 5: 4, 6: 4, 7: 1, 10: 8, 11: 8, 12: 8 };

const STRING = 8;
const ARRAY = 9;

/** Reads the little-endian values of a GGUF header, one after the other. */
export class GgufCursor {
  readonly #view: DataView<ArrayBuffer>;
  offset = 0;

  constructor(bytes: ArrayBuffer) {
    this.#view = new DataView(bytes);
  }

  uint32(): number {
    return this.#view.getUint32(this.#take(4), true);
  }

  /** @returns a number, which is inexact beyond 2⁵³. */
  uint64(): number {
    return Number(this.#view.getBigUint64(this.#take(8), true));
  }

  /**
   * Reads a count of items.
   * @param bytes Size of the count itself in bytes. Default: 8.
   * @throws GgufFault if the count is above `most`.
   */
  count(most: number, bytes: 4 | 8 = 8): number {
    const count = bytes === 8 ? this.uint64() : this.uint32();
    if (count > most) throw new GgufFault(say('ggufTooManyItems', count, most));
    return count;
  }

  string(): string {
    const length = this.count(MAX_STRING);
    const start = this.#take(length);
    return new TextDecoder().decode(new Uint8Array(this.#view.buffer, start, length));
  }

  /**
   * Reads a value.
   * @returns a string, a number or a boolean; undefined for an array, and for types that no caller needs.
   */
  value(type: number): string | number | boolean | undefined {
    if (type === STRING) return this.string();
    if (type === ARRAY) {
      const { type: elements, length } = this.#array();
      this.#skipElements(elements, length);
      return undefined;
    }
    if (type === 2) return this.#view.getUint16(this.#take(2), true);
    if (type === 4) return this.uint32();
    if (type === 7) return this.#view.getUint8(this.#take(1)) !== 0;
    if (type === 10) return this.uint64();
    this.#take(this.#sizeOf(type));
    return undefined;
  }

  /**
   * Reads an array of strings. Each string is decoded only when it is used, because vocabularies are long and only some
   * tokens are needed.
   * @returns a function that decodes the string at an index; null for an array of other values.
   */
  strings(): ((index: number) => string) | null {
    const { type, length } = this.#array();
    if (type !== STRING) return this.#skipElements(type, length);
    const starts = new Uint32Array(length);
    for (let index = 0; index < length; index++) {
      starts[index] = this.offset;
      this.#take(this.count(MAX_STRING));
    }
    return (index) => {
      const start = starts[index];
      if (start === undefined) return '';
      const end = this.offset;
      this.offset = start;
      const text = this.string();
      this.offset = end;
      return text;
    };
  }

  /** Reads an array of 32-bit integers. Returns null for an array of other values. */
  integers(): Int32Array | null {
    const { type, length } = this.#array();
    if (type !== 4 && type !== 5) return this.#skipElements(type, length);
    const start = this.#take(4 * length);
    // Copied because an Int32Array must begin at a multiple of four bytes.
    return new Int32Array(this.#view.buffer.slice(start, start + 4 * length));
  }

  #array(): { readonly type: number; readonly length: number } {
    const type = this.uint32();
    if (type === ARRAY) throw new GgufFault(say('ggufNestedArrays'));
    return { type, length: this.count(MAX_ELEMENTS) };
  }

  #skipElements(type: number, length: number): null {
    if (type !== STRING) this.#take(this.#sizeOf(type) * length);
    else for (let index = 0; index < length; index++) this.#take(this.count(MAX_STRING));
    return null;
  }

  #sizeOf(type: number): number {
    const size = SIZES[type];
    if (size === undefined) throw new GgufFault(say('ggufValueType', type));
    return size;
  }

  /** Skips some bytes. @returns the position where they begin. */
  #take(bytes: number): number {
    const start = this.offset;
    if (start + bytes > this.#view.byteLength) throw new ReadBeyond();
    this.offset = start + bytes;
    return start;
  }
}
