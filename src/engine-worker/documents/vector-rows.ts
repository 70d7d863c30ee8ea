import { quantise, type Quantised } from './search/quantise.ts';

/** First number of a checkpoint. Another version of this software that writes another form has another number. */
const FORMAT = 0x7ab50101;

/** Bytes before the header. */
const HEADER_START = 8;

interface CheckpointHeader {
  readonly key: string;
  readonly dimensions: number;
  /** Number of the first vector. */
  readonly from: number;
  readonly count: number;
}

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
   * Encodes the last vectors.
   * @param key Identifies the passages and the model.
   * @param from Number of the first of them.
   */
  encode(key: string, from: number): Blob {
    const { dimensions, vectors, scales } = this.quantised;
    const header = new TextEncoder().encode(JSON.stringify({ key, dimensions, from, count: this.#count - from }));
    const parts = [vectors.slice(from * dimensions, this.#count * dimensions), scales.slice(from, this.#count)];
    return new Blob([Uint32Array.of(FORMAT, header.length), header, ...parts]);
  }

  /**
   * Adds vectors that {@link encode} has encoded.
   * @returns false if they are not the next ones of these passages, or damaged, or of another version of this software.
   */
  async restore(blob: Blob, key: string): Promise<boolean> {
    const [format, length = 0] = new Uint32Array(await blob.slice(0, HEADER_START).arrayBuffer());
    if (format !== FORMAT) return false;
    const start = HEADER_START + length;
    const header: unknown = JSON.parse(await blob.slice(HEADER_START, start).text());
    const { key: given, dimensions, from, count } = header as CheckpointHeader;
    const end = start + count * dimensions;
    const isNext = given === key && from === this.#count && from + count <= this.#total;
    if (!isNext || blob.size !== end + 4 * count || dimensions !== (this.#rows?.dimensions ?? dimensions)) return false;
    const vectors = new Int8Array(await blob.slice(start, end).arrayBuffer());
    const scales = new Float32Array(await blob.slice(end).arrayBuffer());
    this.#append({ dimensions, vectors, scales }, count);
    return true;
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
