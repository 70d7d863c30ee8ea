import { copyToBuffer } from '../gpu/device';
import { begin, bindStorage, bindTensor, dispatch, passNumber } from '../gpu/kernel';
import { ATTENTION_NORM, bindMatrix, bindVector, layerParameter, QKV } from '../gpu/parameters';
import {
  ATTENTION_WORKGROUP,
  HEAD_DIMENSION,
  HEADS,
  KERNEL_LIST_NEW,
  KERNEL_NORM_NEW,
  KERNEL_ROTATE,
  KERNEL_TOKEN_QKV,
  QKV_WORKGROUPS,
  SLICE_TOKENS,
  TILE,
  VOCABULARY,
} from '../package-data';
import { makeStorage, Storage, WEBGPU } from '../gpu/storage';
import { TensorObject } from '../gpu/tensor-object';
import { Activations, bindNormed } from './activations';

/**
 * GPU buffer that caches queries, keys and values (before rotary embedding) per token of the vocabulary. 0 until used.
 */
let table: usize = 0;
/** GPU buffer with a flag per token of the vocabulary: 1 if its row of `table` is filled. */
let known: usize = 0;
/**
 * GPU buffer that lists the tokens of the slice whose row of `table` is not filled: their number, then their positions.
 */
let newTokens: usize = 0;

/**
 * Computes queries, keys and values of the model's only layer. They depend only on the token and its position. So each
 * token is projected once, when it first occurs; after that, its cached row is only rotated by the position.
 */
export function projectTokens(
  tokens: TensorObject,
  rotary: Storage,
  parameters: usize,
  activations: Activations,
): void {
  if (table == 0) makeTable();
  const workgroups = (activations.tokens + ATTENTION_WORKGROUP - 1) / ATTENTION_WORKGROUP;
  begin(KERNEL_LIST_NEW);
  bindTensor(tokens);
  bindStorage(changetype<Storage>(known));
  bindStorage(changetype<Storage>(newTokens));
  passNumber(activations.tokens);
  passNumber(activations.firstToken);
  dispatch(workgroups);

  begin(KERNEL_NORM_NEW);
  bindStorage(activations.stream);
  bindVector(parameters, layerParameter(0, ATTENTION_NORM));
  bindStorage(changetype<Storage>(newTokens));
  bindNormed(activations);
  dispatch(workgroups);

  begin(KERNEL_TOKEN_QKV);
  bindNormed(activations);
  bindMatrix(parameters, layerParameter(0, QKV));
  bindTensor(tokens);
  bindStorage(changetype<Storage>(newTokens));
  bindStorage(changetype<Storage>(table));
  passNumber(activations.firstToken);
  dispatch(QKV_WORKGROUPS, (activations.tokens + TILE - 1) / TILE);

  begin(KERNEL_ROTATE);
  bindTensor(tokens);
  bindStorage(changetype<Storage>(table));
  bindStorage(rotary);
  bindStorage(changetype<Storage>(newTokens));
  bindStorage(activations.projected);
  passNumber(activations.tokens);
  passNumber(activations.length);
  passNumber(activations.firstToken);
  dispatch(workgroups, 3 * HEADS);
}

function makeTable(): void {
  table = changetype<usize>(makeStorage(WEBGPU, VOCABULARY * 3 * HEADS * HEAD_DIMENSION * sizeof<f32>()));
  known = changetype<usize>(makeZeros(VOCABULARY));
  newTokens = changetype<usize>(makeZeros(1 + SLICE_TOKENS));
}

/** Allocates a GPU buffer and fills it with zeros, since buffers from the pool have arbitrary content. */
function makeZeros(length: i32): Storage {
  const bytes = length * sizeof<u32>();
  const storage = makeStorage(WEBGPU, <u32>bytes);
  const zeros = heap.alloc(bytes);
  memory.fill(zeros, 0, bytes);
  copyToBuffer(zeros, <i32>storage.data, 0, bytes);
  heap.free(zeros);
  return storage;
}
