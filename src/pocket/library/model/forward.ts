import { Any } from '../ffi/any';
import { requireArguments } from '../ffi/arguments';
import { makePair } from '../ffi/array-object';
import { raise } from '../ffi/error';
import { retain } from '../ffi/object';
import { ARRAY, CACHE, TENSOR } from '../ffi/type-index';
import { begin, bindStorage, bindTensor, dispatch, passNumber } from '../gpu/kernel';
import {
  HEADS, HEAD_DIMENSION, HIDDEN, INTERMEDIATE, KERNEL_ATTENTION, KERNEL_DOWN_DECODE,
  KERNEL_DOWN_PREFILL, KERNEL_EMBED, KERNEL_GATE_UP_DECODE, KERNEL_GATE_UP_PREFILL, KERNEL_HEAD,
  KERNEL_OUTPUT_DECODE, KERNEL_OUTPUT_PREFILL, KERNEL_QKV_DECODE, KERNEL_QKV_PREFILL,
  KEY_VALUE_HEADS, LAYERS, ROWS_PER_WORKGROUP, TOKENS_PER_TILE, VOCABULARY,
} from '../package-data';
import { FLOAT32, INT32 } from '../runtime/data-type';
import { makeStorage, releaseStorage, Storage, WEBGPU } from '../runtime/storage';
import {
  kernelTensorAt, makeGpuTensor2, makeGpuTensor3, TensorObject,
} from '../runtime/tensor-object';
import { cacheAt, CacheObject } from './cache-object';
import {
  ATTENTION_NORM, bindMatrix, bindVector, DOWN, EMBEDDING, FINAL_NORM, GATE_UP, layerParameter,
  MLP_NORM, OUTPUT, parametersAt, QKV,
} from './parameters';

/** (token ids, parameters) → embeddings [tokens, hidden] */
export function embed(context: usize, args: Any, count: i32, result: Any): void {
  if (!requireArguments(count, 2)) return;
  const found = kernelTensorAt(args, 0, INT32);
  const parameters = parametersAt(args, 1);
  if (found == 0 || parameters == 0) return;
  const tokens = changetype<TensorObject>(found);
  const length = <i32>tokens.elements;
  const embedded = makeGpuTensor2(FLOAT32, length, HIDDEN);
  begin(KERNEL_EMBED);
  bindTensor(tokens);
  bindMatrix(parameters, EMBEDDING);
  bindTensor(embedded);
  dispatch(length);
  result.setObject(TENSOR, changetype<usize>(embedded));
}

/**
 * (embeddings [1, tokens, hidden], cache, parameters) → [logits [1, 1, vocabulary] of the last
 * token, cache]. Serves as `prefill` and as `decode`, which differ only in the number of tokens.
 */
export function forward(context: usize, args: Any, count: i32, result: Any): void {
  if (!requireArguments(count, 3)) return;
  const found = kernelTensorAt(args, 0, FLOAT32);
  const cache = cacheAt(args, 1);
  const parameters = parametersAt(args, 2);
  if (found == 0 || cache == 0 || parameters == 0) return;
  const embeddings = changetype<TensorObject>(found);
  const tokens = <i32>(embeddings.elements / HIDDEN);
  if (changetype<CacheObject>(cache).appending != tokens) {
    raise(`A forward pass of ${tokens} tokens was not announced to the cache`);
    return;
  }
  const logits = makeGpuTensor3(FLOAT32, 1, 1, VOCABULARY);
  run(embeddings, changetype<CacheObject>(cache), parameters, tokens, logits);
  retain(cache);
  const pair = makePair(TENSOR, changetype<usize>(logits), CACHE, cache);
  result.setObject(ARRAY, changetype<usize>(pair));
}

function run(
  embeddings: TensorObject, cache: CacheObject, parameters: usize, tokens: i32,
  logits: TensorObject,
): void {
  const one = tokens == 1;
  const tiles = one ? 1 : (tokens + TOKENS_PER_TILE - 1) / TOKENS_PER_TILE;
  const queries = scratch(tokens * HEADS * HEAD_DIMENSION);
  const attended = scratch(tokens * HEADS * HEAD_DIMENSION);
  const activated = scratch(tokens * INTERMEDIATE);
  const middle = scratch(tokens * HIDDEN);
  const stream = scratch(tokens * HIDDEN);

  for (let layer = 0; layer < LAYERS; layer++) {
    begin(one ? KERNEL_QKV_DECODE : KERNEL_QKV_PREFILL);
    bindInput(layer, embeddings, stream);
    bindVector(parameters, layerParameter(layer, ATTENTION_NORM));
    bindMatrix(parameters, layerParameter(layer, QKV));
    bindStorage(cache.rotary);
    bindStorage(cache.layer(layer));
    bindStorage(queries);
    passNumber(tokens);
    passNumber(cache.length);
    passNumber(cache.capacity);
    dispatch(workgroups((HEADS + 2 * KEY_VALUE_HEADS) * HEAD_DIMENSION), tiles);

    begin(KERNEL_ATTENTION);
    bindStorage(queries);
    bindStorage(cache.layer(layer));
    bindStorage(attended);
    passNumber(cache.length);
    passNumber(cache.capacity);
    dispatch(HEADS, tokens);

    begin(one ? KERNEL_OUTPUT_DECODE : KERNEL_OUTPUT_PREFILL);
    bindStorage(attended);
    bindMatrix(parameters, layerParameter(layer, OUTPUT));
    bindInput(layer, embeddings, stream);
    bindStorage(middle);
    passNumber(tokens);
    dispatch(workgroups(HIDDEN), tiles);

    begin(one ? KERNEL_GATE_UP_DECODE : KERNEL_GATE_UP_PREFILL);
    bindStorage(middle);
    bindVector(parameters, layerParameter(layer, MLP_NORM));
    bindMatrix(parameters, layerParameter(layer, GATE_UP));
    bindStorage(activated);
    passNumber(tokens);
    dispatch(workgroups(2 * INTERMEDIATE), tiles);

    begin(one ? KERNEL_DOWN_DECODE : KERNEL_DOWN_PREFILL);
    bindStorage(activated);
    bindMatrix(parameters, layerParameter(layer, DOWN));
    bindStorage(middle);
    bindStorage(stream);
    passNumber(tokens);
    dispatch(workgroups(HIDDEN), tiles);
  }

  begin(KERNEL_HEAD);
  bindInput(LAYERS, embeddings, stream);
  bindVector(parameters, FINAL_NORM);
  bindMatrix(parameters, EMBEDDING);
  bindTensor(logits);
  passNumber(tokens);
  dispatch(workgroups(VOCABULARY));

  releaseStorage(queries);
  releaseStorage(attended);
  releaseStorage(activated);
  releaseStorage(middle);
  releaseStorage(stream);
}

/** The residual stream: the first layer reads the embeddings, which belong to the caller. */
function bindInput(layer: i32, embeddings: TensorObject, stream: Storage): void {
  if (layer == 0) bindTensor(embeddings);
  else bindStorage(stream);
}

function scratch(floats: i32): Storage {
  return makeStorage(WEBGPU, floats * sizeof<f32>());
}

function workgroups(rows: i32): i32 {
  return (rows + ROWS_PER_WORKGROUP - 1) / ROWS_PER_WORKGROUP;
}
