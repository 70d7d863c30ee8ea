/** A weight in a package's list of weights (`tensor-cache.json`). */
export interface WeightRecord {
  readonly name: string;
  readonly shape: readonly number[];
  readonly dtype: string;
  /** `f32-to-bf16` for float32 weights that are stored with 16 bits. */
  readonly format: string;
  readonly nbytes: number;
  readonly byteOffset: number;
}

/** Range of scales and of weights that are not quantized, small enough that no sum of products overflows 16 bits. */
const LARGEST = 0.03;

/**
 * Fills a file of weights with random numbers, the same for the same seed: a model of them says nothing, but computes
 * as much as the real one. Quantized weights are random bits, their scales positive, norms 1.
 * @throws Error for a type of numbers that no package has had so far.
 */
export function randomWeights(records: readonly WeightRecord[], size: number, seed: number): Uint8Array {
  const file = new Uint8Array(size);
  const random = randomWords(seed);
  for (const record of records) {
    const bytes = file.subarray(record.byteOffset, record.byteOffset + record.nbytes);
    fill(bytes, record, random);
  }
  return file;
}

function fill(bytes: Uint8Array, record: WeightRecord, random: () => number): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (/^u?int(8|32)$/.test(record.dtype)) {
    for (let at = 0; at + 4 <= bytes.length; at += 4) view.setUint32(at, random(), true);
    return;
  }
  if (!['float32', 'float16'].includes(record.dtype))
    throw new Error(`${record.name} has numbers of the type ${record.dtype}.`);
  const number = () => valueOf(record, random() / 2 ** 32);
  if (record.dtype === 'float16')
    for (let at = 0; at < bytes.length; at += 2) view.setUint16(at, toHalf(number()), true);
  else if (record.format === 'f32-to-bf16')
    for (let at = 0; at < bytes.length; at += 2) view.setUint16(at, toBrain(number()), true);
  else for (let at = 0; at < bytes.length; at += 4) view.setFloat32(at, number(), true);
}

/** @param random From 0 to 1. */
function valueOf({ name, shape }: WeightRecord, random: number): number {
  if (name.endsWith('scale')) return LARGEST * (0.2 + 0.8 * random);
  return shape.length === 1 ? 1 : LARGEST * (2 * random - 1);
}

const float = new Float32Array(1);
const bits = new Uint32Array(float.buffer);

/** The upper half of a float32. */
function toBrain(value: number): number {
  float[0] = value;
  // oxlint-disable-next-line no-bitwise -- leading bits of a float
  return bits[0]! >>> 16;
}

/** A float16 by truncation. Values below the smallest normal number become 0. */
function toHalf(value: number): number {
  float[0] = Math.abs(value);
  // oxlint-disable-next-line no-bitwise -- leading bits of a float
  const magnitude = Math.max(0, (bits[0]! >>> 13) - (112 << 10));
  return (value < 0 ? 0x80_00 : 0) + (magnitude < 1 << 10 ? 0 : magnitude); // oxlint-disable-line no-bitwise -- as above
}

/** Returns a generator of random 32-bit numbers (xorshift). */
function randomWords(seed: number): () => number {
  let state = seed;
  return () => {
    // oxlint-disable no-bitwise -- xorshift
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state >>> 0;
    // oxlint-enable no-bitwise
  };
}
