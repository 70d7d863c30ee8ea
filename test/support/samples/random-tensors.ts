import type { GgufTensor } from '../../../src/pocket/build/gguf/write-gguf.ts';

interface FloatTensor extends GgufTensor {
  readonly values: Float32Array<ArrayBuffer>;
}

/** Collects the tensors of a network with random weights, the same ones for the same seed. */
export class RandomTensors {
  readonly #random: () => number;
  readonly #tensors = new Map<string, FloatTensor>();

  constructor(seed: number) {
    this.#random = randomNumbers(seed);
  }

  get all(): readonly GgufTensor[] {
    return [...this.#tensors.values()];
  }

  /** @param around Mean of the weights, which differ from it by at most `spread`. */
  add(name: string, shape: readonly number[], { around = 0, spread = 0.2 } = {}): void {
    const length = shape.reduce((product, size) => product * size, 1);
    const values = Float32Array.from({ length }, () => around + 2 * spread * (this.#random() - 0.5));
    this.#tensors.set(name, { name, shape, values });
  }

  addLinear(name: string, columns: number, rows: number): void {
    this.add(`${name}.weight`, [columns, rows]);
    this.add(`${name}.bias`, [rows]);
  }

  addNorm(name: string, width: number): void {
    this.add(`${name}.weight`, [width], { around: 1 });
    this.add(`${name}.bias`, [width]);
  }

  values(name: string): Float32Array {
    return this.#tensors.get(name)!.values;
  }
}

/** Numbers from 0 to 1, the same ones for the same seed (mulberry32). */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d_2b_79_f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
