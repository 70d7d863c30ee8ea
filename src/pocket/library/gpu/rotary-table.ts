import { HEAD_DIMENSION, ROPE_THETA } from '../package-data';
import { copyToBuffer } from './device';
import { makeStorage, Storage, WEBGPU } from './storage';

/**
 * Makes a GPU buffer with the (cosine, sine) pairs of the rotary position embedding: [positions, HEAD_DIMENSION / 2].
 * They are computed on the CPU, since WGSL guarantees accurate sines only for small angles. Values are rounded at the
 * same steps as in the training code.
 */
export function makeRotaryTable(positions: i32): Storage {
  const half = HEAD_DIMENSION / 2;
  const bytes = positions * half * 2 * sizeof<f32>();
  const table = heap.alloc(bytes);
  let entry = table;
  for (let position = 0; position < positions; position++) {
    for (let j = 0; j < half; j++) {
      const frequency = <f32>Math.pow(ROPE_THETA, -(<f64>j) / <f64>half);
      const angle = <f64>(<f32>position * frequency);
      store<f32>(entry, <f32>Math.cos(angle));
      store<f32>(entry, <f32>Math.sin(angle), 4);
      entry += 8;
    }
  }
  const storage = makeStorage(WEBGPU, <u32>bytes);
  copyToBuffer(table, <i32>storage.data, 0, bytes);
  heap.free(table);
  return storage;
}
