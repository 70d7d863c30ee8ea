import { bindStorage } from '../gpu/kernel';
import { copyBetweenBuffers } from '../gpu/device';
import { HEAD_DIMENSION, HEADS, HIDDEN, INTERMEDIATE, PREFILL_CHUNK, SQUARES } from '../package-data';
import { makeStorage, releaseStorage, Storage, WEBGPU } from '../runtime/storage';

/** What flows through the layers in one forward pass. */
@unmanaged
export class Activations {
  tokens: i32;
  /** Position of the first of the tokens. */
  position: i32;
  /** Residual stream before and after the part of a layer that runs. */
  stream: Storage;
  nextStream: Storage;
  /** The stream ready for the next norm, see normed.wgsl. */
  gained: Storage;
  squares: Storage;
  queries: Storage;
  attended: Storage;
  activated: Storage;
}

/** Buffers come from the pool, so this costs nothing from the second pass on. */
export function makeActivations(tokens: i32, position: i32): Activations {
  // Prefill kernels know their arrays' lengths, so theirs are as long as a whole chunk.
  const rows = tokens == 1 ? 1 : PREFILL_CHUNK;
  const made = changetype<Activations>(heap.alloc(offsetof<Activations>()));
  made.tokens = tokens;
  made.position = position;
  made.stream = floats(rows * HIDDEN);
  made.nextStream = floats(rows * HIDDEN);
  made.gained = floats(rows * HIDDEN);
  made.squares = floats(rows * SQUARES);
  made.queries = floats(rows * HEADS * HEAD_DIMENSION);
  made.attended = floats(rows * HEADS * HEAD_DIMENSION);
  made.activated = floats(rows * INTERMEDIATE);
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

/**
 * Activations of the last token alone, taking over from those of all. After the last layer's keys and
 * values are written, nobody reads what becomes of the other tokens.
 */
export function narrowToLastToken(activations: Activations): Activations {
  const last = activations.tokens - 1;
  if (last == 0) return activations;
  const narrow = makeActivations(1, activations.position + last);
  copyRow(activations.queries, last, narrow.queries, HEADS * HEAD_DIMENSION);
  copyRow(activations.stream, last, narrow.stream, HIDDEN);
  releaseActivations(activations);
  return narrow;
}

function floats(length: i32): Storage {
  return makeStorage(WEBGPU, length * sizeof<f32>());
}

function copyRow(from: Storage, row: i32, to: Storage, width: i32): void {
  const bytes = width * sizeof<f32>();
  copyBetweenBuffers(<i32>from.data, row * bytes, <i32>to.data, 0, bytes);
}
