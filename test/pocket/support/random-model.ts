import type { ModelShape } from '../../../src/pocket/build/model-shape.ts';
import { listParameters } from '../../../src/pocket/build/list-parameters.ts';

/** Parameters by name, as the package stores them. */
export type ModelTensors = Map<string, Uint32Array<ArrayBuffer> | Float32Array<ArrayBuffer>>;

/** Random weights as large as trained ones, the same for the same seed. */
export function makeRandomTensors(shape: ModelShape, seed: number): ModelTensors {
  const random = randomNumbers(seed);
  const tensors: ModelTensors = new Map();
  for (const { name, shape: sizes } of listParameters(shape)) {
    const length = sizes.reduce((product, size) => product * size, 1);
    tensors.set(name, randomTensor(shape, name, length, random));
  }
  return tensors;
}

function randomTensor(
  shape: ModelShape,
  name: string,
  length: number,
  random: () => number,
): Uint32Array<ArrayBuffer> | Float32Array<ArrayBuffer> {
  if (name.endsWith('norm.weight')) return Float32Array.from({ length }, () => 0.5 + random());
  if (name.endsWith('.scale')) {
    const size = 1 / Math.sqrt(shape.hidden) / (shape.weightBits === 8 ? 64 : 4);
    return Float32Array.from({ length }, () => size * (0.5 + random()));
  }
  return Uint32Array.from({ length }, () => random() * 2 ** 32);
}

/** Numbers in [0, 1) from a small generator (mulberry32). */
export function randomNumbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
