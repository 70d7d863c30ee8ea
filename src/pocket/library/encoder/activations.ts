import { bindStorage } from '../gpu/kernel';
import { HEAD_DIMENSION, HEADS, HIDDEN, INTERMEDIATE, SLICE_TOKENS, SQUARES } from '../package-data';
import { makeStorage, releaseStorage, Storage, WEBGPU } from '../gpu/storage';

/** GPU buffers with the intermediate results of one slice of a batch. A slice is as many whole texts as fit. */
@unmanaged
export class Activations {
  /** Number of tokens of each text, including padding. */
  length: i32;
  /** Number of texts in the slice. */
  texts: i32;
  /** Index in the batch of the slice's first text. */
  firstText: i32;
  /** Residual stream that the current part of a layer reads. */
  stream: Storage;
  /** Residual stream that the current part of a layer writes. */
  nextStream: Storage;
  /** Residual stream multiplied by the gain of the next norm (see normed.wgsl). */
  gained: Storage;
  /** Partial sums of squares of the residual stream, for the next norm (see normed.wgsl). */
  squares: Storage;
  /** Queries, keys and values of each token. */
  projected: Storage;
  /** Output of the attention heads. */
  attended: Storage;
  /** Hidden values of the feed-forward part, after its activation function. */
  activated: Storage;

  /** Number of tokens in the slice. */
  get tokens(): i32 {
    return this.texts * this.length;
  }
  /** Index in the batch of the slice's first token. */
  get firstToken(): i32 {
    return this.firstText * this.length;
  }
}

/** Allocates the buffers for texts of `length` tokens. From the second call on, they come from the buffer pool. */
export function makeActivations(length: i32): Activations {
  const made = changetype<Activations>(heap.alloc(offsetof<Activations>()));
  made.length = length;
  made.stream = rows(HIDDEN);
  made.nextStream = rows(HIDDEN);
  made.gained = rows(HIDDEN);
  made.squares = rows(SQUARES);
  made.projected = rows(3 * HEADS * HEAD_DIMENSION);
  made.attended = rows(HEADS * HEAD_DIMENSION);
  made.activated = rows(INTERMEDIATE);
  return made;
}

export function releaseActivations(activations: Activations): void {
  releaseStorage(activations.stream);
  releaseStorage(activations.nextStream);
  releaseStorage(activations.gained);
  releaseStorage(activations.squares);
  releaseStorage(activations.projected);
  releaseStorage(activations.attended);
  releaseStorage(activations.activated);
  heap.free(changetype<usize>(activations));
}

/** Binds the two buffers from which a kernel computes the norm of the residual stream. */
export function bindNormed(activations: Activations): void {
  bindStorage(activations.gained);
  bindStorage(activations.squares);
}

/** Swaps the residual streams: the stream that was written becomes the one to read. */
export function swapStreams(activations: Activations): void {
  const stream = activations.stream;
  activations.stream = activations.nextStream;
  activations.nextStream = stream;
}

/** A GPU buffer with `width` floats for each token of a slice. */
function rows(width: i32): Storage {
  return makeStorage(WEBGPU, SLICE_TOKENS * width * sizeof<f32>());
}
