/** A value in the header of a GGUF file. Integers are written as uint32, those of an array as int32. */
type GgufValue = string | boolean | number | Float | Integer | Float32Array | readonly string[] | readonly number[];

/** A number that is written as float32. A number with a fraction needs it, too. */
export class Float {
  readonly value: number;

  constructor(value: number) {
    this.value = value;
  }
}

/** An integer that is written as another type than uint32. llama.cpp refuses some values of other types. */
export class Integer {
  readonly type: 'uint16' | 'int32';
  readonly value: number;

  constructor(type: Integer['type'], value: number) {
    this.type = type;
    this.value = value;
  }
}

export interface GgufTensor {
  readonly name: string;
  /** Dimensions in GGUF's order: the length of a row first. */
  readonly shape: readonly number[];
  /** 32-bit floats, or the bytes of 8-bit blocks ({@link BLOCK}). */
  readonly values: Float32Array<ArrayBuffer> | Uint8Array<ArrayBuffer>;
}

/** A block of ggml's type `Q8_0`: a scale as 16-bit float, then a signed byte for each of its numbers. */
export const BLOCK = { numbers: 32, bytes: 34 } as const;

const MAGIC = 0x46_55_47_47;
const VERSION = 3;

/** Numbers of the value types. Source: `docs/gguf.md` of ggml. */
const TYPE = { uint16: 2, uint32: 4, int32: 5, float32: 6, bool: 7, string: 8, array: 9 } as const;

/** Numbers of the tensor types. */
const F32 = 0;
const Q8_0 = 8;

/** Tensors begin at multiples of this many bytes. */
const ALIGNMENT = 32;

/** Writes a GGUF file. */
export function writeGguf(values: Readonly<Record<string, GgufValue>>, tensors: readonly GgufTensor[]): Blob {
  const header = new Writer();
  header.uint32(MAGIC);
  header.uint32(VERSION);
  header.uint64(tensors.length);
  header.uint64(Object.keys(values).length);
  for (const [key, value] of Object.entries(values)) {
    header.string(key);
    header.value(value);
  }
  let offset = 0;
  for (const { name, shape, values: weights } of tensors) {
    header.string(name);
    header.uint32(shape.length);
    for (const length of shape) header.uint64(length);
    header.uint32(weights instanceof Uint8Array ? Q8_0 : F32);
    header.uint64(offset);
    offset += padded(weights.byteLength);
  }
  header.pad();
  const parts = tensors.flatMap(({ values: { buffer, byteOffset, byteLength } }) => [
    new Uint8Array(buffer, byteOffset, byteLength),
    new Uint8Array(padded(byteLength) - byteLength),
  ]);
  return new Blob([header.bytes(), ...parts]);
}

function padded(bytes: number): number {
  return Math.ceil(bytes / ALIGNMENT) * ALIGNMENT;
}

/** Writes little-endian values one after the other. */
class Writer {
  readonly #chunks: Uint8Array<ArrayBuffer>[] = [];
  #length = 0;

  bytes(): Blob {
    return new Blob(this.#chunks);
  }

  pad(): void {
    this.#add(new Uint8Array(padded(this.#length) - this.#length));
  }

  uint32(value: number): void {
    this.#number(4, (view) => view.setUint32(0, value, true));
  }

  uint64(value: number): void {
    this.#number(8, (view) => view.setBigUint64(0, BigInt(value), true));
  }

  string(text: string): void {
    const bytes = new TextEncoder().encode(text);
    this.uint64(bytes.length);
    this.#add(bytes);
  }

  value(value: GgufValue): void {
    if (typeof value === 'string') {
      this.uint32(TYPE.string);
      this.string(value);
    } else if (typeof value === 'boolean') {
      this.uint32(TYPE.bool);
      this.#add(Uint8Array.of(value ? 1 : 0));
    } else if (typeof value === 'number') {
      this.uint32(TYPE.uint32);
      this.uint32(value);
    } else if (value instanceof Float) {
      this.uint32(TYPE.float32);
      this.#number(4, (view) => view.setFloat32(0, value.value, true));
    } else if (value instanceof Integer) {
      this.uint32(TYPE[value.type]);
      if (value.type === 'uint16') this.#number(2, (view) => view.setUint16(0, value.value, true));
      else this.#number(4, (view) => view.setInt32(0, value.value, true));
    } else if (value instanceof Float32Array) {
      this.uint32(TYPE.array);
      this.uint32(TYPE.float32);
      this.uint64(value.length);
      for (const item of value) this.#number(4, (view) => view.setFloat32(0, item, true));
    } else {
      this.uint32(TYPE.array);
      this.uint32(typeof value[0] === 'string' ? TYPE.string : TYPE.int32);
      this.uint64(value.length);
      for (const item of value) {
        if (typeof item === 'string') this.string(item);
        else this.uint32(item);
      }
    }
  }

  #number(bytes: number, write: (view: DataView) => void): void {
    const chunk = new Uint8Array(bytes);
    write(new DataView(chunk.buffer));
    this.#add(chunk);
  }

  #add(chunk: Uint8Array<ArrayBuffer>): void {
    this.#chunks.push(chunk);
    this.#length += chunk.length;
  }
}
