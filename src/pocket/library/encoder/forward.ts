import { Any } from '../ffi/any';
import { requireArguments } from '../ffi/arguments';
import { raise } from '../ffi/error';
import { TENSOR } from '../ffi/type-index';
import { begin, bindStorage, bindTensor, dispatch, passNumber } from '../gpu/kernel';
import { CONTEXT, ENTER_WORKGROUPS, HIDDEN, KERNEL_ENTER, KERNEL_POOL, SLICE_TOKENS } from '../package-data';
import { FLOAT32, INT32 } from '../ffi/data-type';
import { kernelTensorAt, makeGpuTensor3, TensorObject } from '../gpu/tensor-object';
import { Activations, makeActivations, releaseActivations } from './activations';
import { runLayer } from './layer';
import { bindMatrix, DOWN, EMBEDDING, layerParameter, parametersAt } from '../gpu/parameters';

/**
 * Computes the embeddings of a batch: (token ids [texts, length], mask [texts, length], parameters) → [texts, length,
 * hidden]. The mask is 1 for tokens and 0 for padding. WebLLM reads only position 0 of each text, so the embedding is
 * written there. The other positions stay uninitialized.
 */
export function prefill(context: usize, args: Any, count: i32, result: Any): void {
  if (!requireArguments(count, 3)) return;
  const foundTokens = kernelTensorAt(args, 0, INT32);
  const foundMask = kernelTensorAt(args, 1, INT32);
  const parameters = parametersAt(args, 2);
  if (foundTokens == 0 || foundMask == 0 || parameters == 0) return;
  const tokens = changetype<TensorObject>(foundTokens);
  const mask = changetype<TensorObject>(foundMask);
  const texts = <i32>tokens.size(0);
  const length = tokens.dimensions == 2 ? <i32>tokens.size(1) : 0;
  if (length < 1 || length > CONTEXT || mask.elements != tokens.elements) {
    raise(`Texts must have 1 to ${CONTEXT} tokens, and a mask of the same shape`);
    return;
  }
  const vectors = makeGpuTensor3(FLOAT32, texts, length, HIDDEN);
  const activations = makeActivations(length);
  const most = SLICE_TOKENS / length;
  for (let first = 0; first < texts; first += most) {
    activations.firstText = first;
    activations.texts = min(most, texts - first);
    enter(tokens, parameters, activations);
    runLayer(tokens, mask, parameters, activations);
    pool(mask, parameters, activations, vectors);
  }
  releaseActivations(activations);
  result.setObject(TENSOR, changetype<usize>(vectors));
}

/** Initializes the residual stream with the rows of the embedding matrix for the tokens. */
function enter(tokens: TensorObject, parameters: usize, activations: Activations): void {
  begin(KERNEL_ENTER);
  bindTensor(tokens);
  bindMatrix(parameters, EMBEDDING);
  bindStorage(activations.stream);
  passNumber(activations.firstToken);
  dispatch(ENTER_WORKGROUPS, activations.tokens);
}

/** Computes the layer's last matrix product, and pools each text's tokens into one vector of Euclidean length 1. */
function pool(mask: TensorObject, parameters: usize, activations: Activations, vectors: TensorObject): void {
  begin(KERNEL_POOL);
  bindStorage(activations.stream);
  bindTensor(mask);
  bindStorage(activations.activated);
  bindMatrix(parameters, layerParameter(0, DOWN));
  bindTensor(vectors);
  passNumber(activations.length);
  passNumber(activations.firstText);
  dispatch(activations.texts);
}
