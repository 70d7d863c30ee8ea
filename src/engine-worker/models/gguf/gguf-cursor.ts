import { ggufStrings as strings } from '../../strings/gguf.ts';

/** Why a file cannot be used; the message is a sentence. */
export class GgufFault extends Error {
  override readonly name = 'GgufFault' as const;
}

/** The header goes on behind the bytes that were read. */
export class ReadBeyond extends Error {}

/** Bytes of the longest key or value that is read. Chat templates have up to some 20 kB. */
const MAX_STRING = 2 ** 22;

/** Elements of the longest array. Vocabularies have up to 260,000. */
const MAX_ELEMENTS = 2 ** 22;

/** Bytes of a value by its type; 8 is a string, 9 an array. */
const SIZES: Readonly<Record<number, number>> = { 0: 1, 1: 1, 2: 2, 3: 2, 4: 4, 5: 4, 6: 4, 7: 1, 10: 8, 11: 8, 12: 8 };

const STRING = 8;
const ARRAY = 9;

/** Reads the values of a GGUF header one after the other, little-endian. */
export class GgufCursor {
  readonly #view: DataView<ArrayBuffer>;
  offset = 0;

  constructor(bytes: ArrayBuffer) {
    this.#view = new DataView(bytes);
  }

  uint32(): number {
    return this.#view.getUint32(this.#take(4), true);
  }

  /** @returns a number; beyond 2⁵³ it is not exact. */
  uint64(): number {
    return Number(this.#view.getBigUint64(this.#take(8), true));
  }

  /**
   * Reads a number of items.
   * @param bytes Size of the number itself. Default: 8.
   * @throws GgufFault if it is above `most`.
   */
  count(most: number, bytes: 4 | 8 = 8): number {
    const count = bytes === 8 ? this.uint64() : this.uint32();
    if (count > most) throw new GgufFault(strings.tooMany(count, most));
    return count;
  }

  string(): string {
    const length = this.count(MAX_STRING);
    const start = this.#take(length);
    return new TextDecoder().decode(new Uint8Array(this.#view.buffer, start, length));
  }

  /**
   * Reads a value.
   * @returns a text or a number; undefined for an array and for types that no caller needs.
   */
  value(type: number): string | number | undefined {
    if (type === STRING) return this.string();
    if (type === ARRAY) {
      const { type: elements, length } = this.#array();
      this.#skipElements(elements, length);
      return undefined;
    }
    if (type === 2) return this.#view.getUint16(this.#take(2), true);
    if (type === 4) return this.uint32();
    if (type === 10) return this.uint64();
    this.#take(this.#sizeOf(type));
    return undefined;
  }

  /**
   * Reads an array of strings. A string is decoded when it is read, since vocabularies are long and few of their tokens needed.
   * @returns reads the string at an index; null for an array of other values.
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
    // The copy begins at a multiple of four bytes.
    return new Int32Array(this.#view.buffer.slice(start, start + 4 * length));
  }

  #array(): { readonly type: number; readonly length: number } {
    const type = this.uint32();
    if (type === ARRAY) throw new GgufFault(strings.nested);
    return { type, length: this.count(MAX_ELEMENTS) };
  }

  #skipElements(type: number, length: number): null {
    if (type !== STRING) this.#take(this.#sizeOf(type) * length);
    else for (let index = 0; index < length; index++) this.#take(this.count(MAX_STRING));
    return null;
  }

  #sizeOf(type: number): number {
    const size = SIZES[type];
    if (size === undefined) throw new GgufFault(strings.valueType(type));
    return size;
  }

  /** Moves on by some bytes. @returns where they begin. */
  #take(bytes: number): number {
    const start = this.offset;
    if (start + bytes > this.#view.byteLength) throw new ReadBeyond();
    this.offset = start + bytes;
    return start;
  }
}
