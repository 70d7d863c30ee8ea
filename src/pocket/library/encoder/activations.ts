import { bindStorage } from '../gpu/kernel';
import { HEAD_DIMENSION, HEADS, HIDDEN, INTERMEDIATE, SLICE_TOKENS, SQUARES } from '../package-data';
import { makeStorage, releaseStorage, Storage, WEBGPU } from '../runtime/storage';

/** What flows through the layers for one slice of a batch: as many whole texts as it has room for. */
@unmanaged
export class Activations {
  /** Tokens of each text, padding included. */
  length: i32;
  /** Texts of the slice, and the number of its first one in the batch. */
  texts: i32;
  firstText: i32;
  /** Residual stream before and after the part of a layer that runs. */
  stream: Storage;
  nextStream: Storage;
  /** The stream ready for the next norm, see normed.wgsl. */
  gained: Storage;
  squares: Storage;
  /** Queries, keys and values of each token. */
  projected: Storage;
  attended: Storage;
  activated: Storage;

  get tokens(): i32 {
    return this.texts * this.length;
  }
  get firstToken(): i32 {
    return this.firstText * this.length;
  }
}

/** Buffers come from the pool, so this costs nothing from the second time on. */
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

export function bindNormed(activations: Activations): void {
  bindStorage(activations.gained);
  bindStorage(activations.squares);
}

export function swapStreams(activations: Activations): void {
  const stream = activations.stream;
  activations.stream = activations.nextStream;
  activations.nextStream = stream;
}

function rows(width: i32): Storage {
  return makeStorage(WEBGPU, SLICE_TOKENS * width * sizeof<f32>());
}
