import { bindStorage } from '../gpu/kernel';
import { copyBetweenBuffers } from '../gpu/device';
import {
  HEAD_DIMENSION, HEADS, HIDDEN, INTERMEDIATE, PREFILL_CHUNK, SQUARES,
} from '../package-data';
import { makeStorage, releaseStorage, retainStorage, Storage, WEBGPU } from '../runtime/storage';

/** What flows through the layers in one forward pass. */
@unmanaged
export class Activations {
  tokens: i32;
  /** Residual stream before and after the part of a layer that runs. */
  stream: Storage;
  nextStream: Storage;
  /** The stream ready for the next norm, see normed.wgsl. */
  gained: Storage;
  squares: Storage;
  queries: Storage;
  attended: Storage;
  activated: Storage;
  lastGained: Storage;
  lastSquares: Storage;

}

/** Buffers come from the pool, so this costs nothing from the second pass on. */
export function makeActivations(tokens: i32): Activations {
  // Prefill kernels know their arrays' lengths, so theirs are as long as a whole chunk.
  const rows = tokens == 1 ? 1 : PREFILL_CHUNK;
  const made = changetype<Activations>(heap.alloc(offsetof<Activations>()));
  made.tokens = tokens;
  made.stream = floats(rows * HIDDEN);
  made.nextStream = floats(rows * HIDDEN);
  made.gained = floats(rows * HIDDEN);
  made.squares = floats(rows * SQUARES);
  made.queries = floats(rows * HEADS * HEAD_DIMENSION);
  made.attended = floats(rows * HEADS * HEAD_DIMENSION);
  made.activated = floats(rows * INTERMEDIATE);
  made.lastGained = tokens == 1 ? retainStorage(made.gained) : floats(HIDDEN);
  made.lastSquares = tokens == 1 ? retainStorage(made.squares) : floats(SQUARES);
  return made;
}

export function releaseActivations(activations: Activations): void {
  releaseStorage(activations.stream);
  releaseStorage(activations.nextStream);
  releaseStorage(activations.gained);
  releaseStorage(activations.squares);
  releaseStorage(activations.queries);
  releaseStorage(activations.attended);
  releaseStorage(activations.activated);
  releaseStorage(activations.lastGained);
  releaseStorage(activations.lastSquares);
  heap.free(changetype<usize>(activations));
}

export function bindNormed(activations: Activations): void {
  bindStorage(activations.gained);
  bindStorage(activations.squares);
}

export function swapStreams(activations: Activations): void {
  const stream = activations.stream;
  activations.stream = activations.nextStream;
  activations.nextStream = stream;
}

/** Puts the last token's normed stream where the head reads it. */
export function keepLastToken(activations: Activations): void {
  const last = activations.tokens - 1;
  if (last == 0) return;
  copyFloats(activations.gained, last * HIDDEN, activations.lastGained, HIDDEN);
  copyFloats(activations.squares, last * SQUARES, activations.lastSquares, SQUARES);
}

function floats(length: i32): Storage {
  return makeStorage(WEBGPU, length * sizeof<f32>());
}

function copyFloats(from: Storage, start: i32, to: Storage, length: i32): void {
  const offset = start * sizeof<f32>();
  copyBetweenBuffers(<i32>from.data, offset, <i32>to.data, 0, length * sizeof<f32>());
}
