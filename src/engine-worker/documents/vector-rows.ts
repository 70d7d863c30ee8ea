import { quantise, type Quantised } from './search/quantise.ts';

/** The vectors of a file's passages, 8 bits a number, as far as they are computed. */
export class VectorRows {
  readonly #total: number;
  #count = 0;
  #rows: { readonly dimensions: number; readonly vectors: Int8Array; readonly scales: Float32Array } | null = null;

  /** @param total Number of passages. */
  constructor(total: number) {
    this.#total = total;
  }

  /** Number of vectors so far. */
  get count(): number {
    return this.#count;
  }

  /** All vectors; zeros stand for those that are not computed. */
  get quantised(): Quantised {
    return this.#rows ?? { dimensions: 0, vectors: new Int8Array(), scales: new Float32Array() };
  }

  /** Adds the vectors of the next passages. */
  add(next: readonly Float32Array[]): void {
    this.#append(quantise(next), next.length);
  }

  /**
   * Encodes the vectors so far.
   * @param key Identifies the passages and the model.
   */
  encode(key: string): Blob {
    const { dimensions, vectors, scales } = this.quantised;
    const header = JSON.stringify({ key, dimensions, count: this.#count });
    const parts = [vectors.slice(0, this.#count * dimensions), scales.slice(0, this.#count)];
    return new Blob([Uint32Array.of(header.length), header, ...parts]);
  }

  /** Adds the vectors that {@link encode} has encoded, unless they are of other passages or incomplete. */
  async restore(blob: Blob, key: string): Promise<void> {
    const [length = 0] = new Uint32Array(await blob.slice(0, 4).arrayBuffer());
    const header = JSON.parse(await blob.slice(4, 4 + length).text()) as {
      readonly key: string;
      readonly dimensions: number;
      readonly count: number;
    };
    const { dimensions, count } = header;
    const start = 4 + length;
    const end = start + count * dimensions;
    if (header.key !== key || count > this.#total || blob.size !== end + 4 * count) return;
    const vectors = new Int8Array(await blob.slice(start, end).arrayBuffer());
    const scales = new Float32Array(await blob.slice(end).arrayBuffer());
    this.#append({ dimensions, vectors, scales }, count);
  }

  #append({ dimensions, vectors, scales }: Quantised, count: number): void {
    this.#rows ??= {
      dimensions,
      vectors: new Int8Array(this.#total * dimensions),
      scales: new Float32Array(this.#total),
    };
    this.#rows.vectors.set(vectors, this.#count * dimensions);
    this.#rows.scales.set(scales, this.#count);
    this.#count += count;
  }
}
