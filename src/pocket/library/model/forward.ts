import { Any } from '../ffi/any';
import { requireArguments } from '../ffi/arguments';
import { makePair } from '../ffi/array-object';
import { raise } from '../ffi/error';
import { retain } from '../ffi/object';
import { ARRAY, CACHE, TENSOR } from '../ffi/type-index';
import { begin, bindStorage, bindTensor, dispatch } from '../gpu/kernel';
import {
  ENTER_WORKGROUPS,
  HEAD_WORKGROUPS,
  HIDDEN,
  KERNEL_EMBED,
  KERNEL_ENTER,
  KERNEL_HEAD,
  LAYERS,
  VOCABULARY,
} from '../package-data';
import { FLOAT32, INT32 } from '../ffi/data-type';
import { kernelTensorAt, makeGpuTensor2, makeGpuTensor3, TensorObject } from '../gpu/tensor-object';
import { Activations, bindNormed, makeActivations, narrowToLastToken, releaseActivations } from './activations';
import { cacheAt, CacheObject } from './cache-object';
import { finishLayer, fillCache } from './layer';
import { ATTENTION_NORM, bindMatrix, bindVector, EMBEDDING, layerParameter, parametersAt } from '../gpu/parameters';

/** Looks up the embeddings of tokens: (token ids, parameters) → embeddings [tokens, hidden] */
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
 * Runs the model: (embeddings [1, tokens, hidden], cache, parameters) → [logits [1, 1, vocabulary] of the last token,
 * cache]. Used for both `prefill` and `decode`, which differ only in the number of tokens.
 */
export function forward(context: usize, args: Any, count: i32, result: Any): void {
  if (!requireArguments(count, 3)) return;
  const embeddings = kernelTensorAt(args, 0, FLOAT32);
  const found = cacheAt(args, 1);
  const parameters = parametersAt(args, 2);
  if (embeddings == 0 || found == 0 || parameters == 0) return;
  const cache = changetype<CacheObject>(found);
  const tokens = <i32>(changetype<TensorObject>(embeddings).elements / HIDDEN);
  if (cache.appending != tokens) {
    raise(`A forward pass of ${tokens} tokens was not announced to the cache`);
    return;
  }
  let activations = makeActivations(tokens, cache.length);
  enter(changetype<TensorObject>(embeddings), parameters, activations);
  for (let layer = 0; layer < LAYERS; layer++) {
    fillCache(layer, parameters, cache, activations);
    if (layer == LAYERS - 1) activations = narrowToLastToken(activations);
    finishLayer(layer, parameters, cache, activations);
  }
  const logits = makeGpuTensor3(FLOAT32, 1, 1, VOCABULARY);
  predict(parameters, activations, logits);
  releaseActivations(activations);
  retain(found);
  const pair = makePair(TENSOR, changetype<usize>(logits), CACHE, found);
  result.setObject(ARRAY, changetype<usize>(pair));
}

/** Initializes the residual stream with the embeddings. */
function enter(embeddings: TensorObject, parameters: usize, activations: Activations): void {
  begin(KERNEL_ENTER);
  bindTensor(embeddings);
  bindVector(parameters, layerParameter(0, ATTENTION_NORM));
  bindStorage(activations.stream);
  bindNormed(activations);
  dispatch(ENTER_WORKGROUPS, activations.tokens);
}

/** Computes the logits of the last token from its residual stream after all layers. */
function predict(parameters: usize, activations: Activations, logits: TensorObject): void {
  begin(KERNEL_HEAD);
  bindNormed(activations);
  bindMatrix(parameters, EMBEDDING);
  bindTensor(logits);
  dispatch(HEAD_WORKGROUPS);
}
