import { bindStorage } from '../gpu/kernel';
import { copyBetweenBuffers } from '../gpu/device';
import { HEAD_DIMENSION, HEADS, HIDDEN, INTERMEDIATE, PREFILL_CHUNK, SQUARES } from '../package-data';
import { makeStorage, releaseStorage, Storage, WEBGPU } from '../gpu/storage';

/** GPU buffers with the intermediate results of one forward pass (a prefill chunk or a decode step). */
@unmanaged
export class Activations {
  /** Number of tokens of the forward pass. */
  tokens: i32;
  /** Position in the sequence of the first token. */
  position: i32;
  /** Residual stream that the current part of a layer reads. */
  stream: Storage;
  /** Residual stream that the current part of a layer writes. */
  nextStream: Storage;
  /** Residual stream multiplied by the gain of the next norm (see normed.wgsl). */
  gained: Storage;
  /** Partial sums of squares of the residual stream, for the next norm (see normed.wgsl). */
  squares: Storage;
  /** Queries of each token. */
  queries: Storage;
  /** Output of the attention heads. */
  attended: Storage;
  /** Hidden values of the feed-forward part, after its activation function. */
  activated: Storage;
}

/** Allocates the buffers of a forward pass. From the second pass on, they come from the buffer pool. */
export function makeActivations(tokens: i32, position: i32): Activations {
  // Prefill kernels are compiled for fixed array lengths, so their buffers have the size of a full chunk.
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
 * Returns activations of the last token only, and releases those of all tokens. Used in the last layer once its keys
 * and values are in the cache: only the last token's logits are needed.
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
