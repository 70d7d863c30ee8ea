/** Bits of the number 1 as float32, the largest weight. */
const BITS_OF_ONE = 0x3f_80_00_00;

const BUCKETS = bucketOf(BITS_OF_ONE) + 1;

/**
 * Returns the bucket of a weight's bits. The lower 16 bits do not count, so a bucket covers 1/128 of the range between
 * two powers of two.
 */
function bucketOf(bits: number): number {
  // oxlint-disable-next-line no-bitwise -- leading bits of a float
  return bits >>> 16;
}

/** The end of a run of the most likely tokens: its last token and the total weight of its tokens. */
interface RunEnd {
  readonly token: number;
  readonly mass: number;
}

/**
 * Groups tokens by weight, to find a token by the total weight of all that are more likely. Sorting a large vocabulary
 * would take longer than a decode step. The bits of positive floats are in the order of their values, so buckets of
 * their leading bits are too, and only the bucket of the searched token has to be sorted.
 */
export class WeightBuckets {
  readonly #weights: Float32Array;
  readonly #bits: Uint32Array;
  /** Total weight by bucket. */
  readonly #masses = new Float64Array(BUCKETS);

  /** @param weights Weights by token id, from 0 to 1. */
  constructor(weights: Float32Array) {
    const bits = new Uint32Array(weights.buffer, weights.byteOffset, weights.length);
    const masses = this.#masses;
    for (let token = 0; token < bits.length; token++) masses[bucketOf(bits[token]!)]! += weights[token]!;
    this.#weights = weights;
    this.#bits = bits;
  }

  /**
   * Adds up weights in descending order (equal ones by token id) until the sum is enough.
   * @param isEnough Called with sums; true for all sums above some limit.
   * @returns where the sum is enough; the least likely token with a weight above 0 if no sum is.
   */
  endOfRun(isEnough: (mass: number) => boolean): RunEnd {
    let end: RunEnd = { token: 0, mass: 0 };
    let last = 0;
    for (let bucket = BUCKETS - 1; bucket >= 0; bucket--) {
      const added = this.#masses[bucket]!;
      if (added === 0) continue;
      last = bucket;
      if (!isEnough(end.mass + added)) {
        end = { ...end, mass: end.mass + added };
        continue;
      }
      for (const token of this.#sorted(bucket)) {
        end = { token, mass: end.mass + this.#weights[token]! };
        if (isEnough(end.mass)) return end;
      }
    }
    return { ...end, token: this.#sorted(last).at(-1) ?? 0 };
  }

  /** Returns the tokens of a bucket with a weight above 0, in descending order, equal ones by their ids. */
  #sorted(bucket: number): number[] {
    const weights = this.#weights;
    const bits = this.#bits;
    const tokens: number[] = [];
    for (let token = 0; token < bits.length; token++) {
      if (bucketOf(bits[token]!) === bucket && bits[token] !== 0) tokens.push(token);
    }
    return tokens.toSorted((one, other) => weights[other]! - weights[one]! || one - other);
  }
}
