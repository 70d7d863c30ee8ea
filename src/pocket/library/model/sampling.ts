import { Any } from '../ffi/any';
import { requireArguments } from '../ffi/arguments';
import { makePair } from '../ffi/array-object';
import { ARRAY, TENSOR } from '../ffi/type-index';
import { begin, bindTensor, dispatch, passNumber } from '../gpu/kernel';
import {
  ELEMENT_WORKGROUP,
  KERNEL_APPLY_BITMASK,
  KERNEL_APPLY_LOGIT_BIAS,
  KERNEL_APPLY_PENALTY,
  KERNEL_ARGSORT,
  KERNEL_SAMPLE,
  KERNEL_SOFTMAX,
  SOFTMAX_WORKGROUPS,
  VOCABULARY,
} from '../package-data';
import { FLOAT32, INT32 } from '../ffi/data-type';
import { kernelTensorAt, makeGpuTensor1, makeGpuTensor2, makeGpuTensor3, TensorObject } from '../gpu/tensor-object';

// Sampling on the GPU: the functions that WebLLM calls with the logits of each token. All tensors have one row, since
// there is one sequence.

/** Softmax: (logits [1, 1, vocabulary], temperatures [1]) → probabilities [1, 1, vocabulary] */
export function softmaxWithTemperature(context: usize, args: Any, count: i32, result: Any): void {
  if (!requireArguments(count, 2)) return;
  const logits = kernelTensorAt(args, 0, FLOAT32);
  const temperatures = kernelTensorAt(args, 1, FLOAT32);
  if (logits == 0 || temperatures == 0) return;
  const probabilities = makeGpuTensor3(FLOAT32, 1, 1, VOCABULARY);
  begin(KERNEL_SOFTMAX);
  bindTensor(changetype<TensorObject>(logits));
  bindTensor(changetype<TensorObject>(temperatures));
  bindTensor(probabilities);
  dispatch(SOFTMAX_WORKGROUPS);
  result.setObject(TENSOR, changetype<usize>(probabilities));
}

/** Sorts in descending order: (probabilities [1, vocabulary]) → [sorted probabilities, their token ids] */
export function argsortProbabilities(context: usize, args: Any, count: i32, result: Any): void {
  if (!requireArguments(count, 1)) return;
  const probabilities = kernelTensorAt(args, 0, FLOAT32);
  if (probabilities == 0) return;
  const sorted = makeGpuTensor2(FLOAT32, 1, VOCABULARY);
  const tokens = makeGpuTensor2(INT32, 1, VOCABULARY);
  begin(KERNEL_ARGSORT);
  bindTensor(changetype<TensorObject>(probabilities));
  bindTensor(sorted);
  bindTensor(tokens);
  dispatch(elementWorkgroups(VOCABULARY));
  const pair = makePair(TENSOR, changetype<usize>(sorted), TENSOR, changetype<usize>(tokens));
  result.setObject(ARRAY, changetype<usize>(pair));
}

/** Samples a token: (sorted probabilities, their token ids, uniform samples [1], rows [1], top_p [1]) → token id [1] */
export function sampleWithTopP(context: usize, args: Any, count: i32, result: Any): void {
  if (!requireArguments(count, 5)) return;
  const sorted = kernelTensorAt(args, 0, FLOAT32);
  const tokens = kernelTensorAt(args, 1, INT32);
  const uniform = kernelTensorAt(args, 2, FLOAT32);
  const topP = kernelTensorAt(args, 4, FLOAT32);
  if (sorted == 0 || tokens == 0 || uniform == 0 || topP == 0) return;
  const sampled = makeGpuTensor1(INT32, 1);
  begin(KERNEL_SAMPLE);
  bindTensor(changetype<TensorObject>(sorted));
  bindTensor(changetype<TensorObject>(tokens));
  bindTensor(changetype<TensorObject>(uniform));
  bindTensor(changetype<TensorObject>(topP));
  bindTensor(sampled);
  dispatch(1);
  result.setObject(TENSOR, changetype<usize>(sampled));
}

/**
 * Applies penalties in place: (logits, rows, row of each entry, token ids, counts, [presence, frequency, repetition])
 */
export function applyPenalty(context: usize, args: Any, count: i32, result: Any): void {
  if (!requireArguments(count, 6)) return;
  const logits = kernelTensorAt(args, 0, FLOAT32);
  const tokens = kernelTensorAt(args, 3, INT32);
  const counts = kernelTensorAt(args, 4, INT32);
  const penalties = kernelTensorAt(args, 5, FLOAT32);
  if (logits == 0 || tokens == 0 || counts == 0 || penalties == 0) return;
  const entries = <i32>changetype<TensorObject>(tokens).elements;
  begin(KERNEL_APPLY_PENALTY);
  bindTensor(changetype<TensorObject>(logits));
  bindTensor(changetype<TensorObject>(tokens));
  bindTensor(changetype<TensorObject>(counts));
  bindTensor(changetype<TensorObject>(penalties));
  passNumber(entries);
  dispatch(elementWorkgroups(entries));
}

/** Adds biases in place: (logits, row of each entry, token ids, biases) */
export function applyLogitBias(context: usize, args: Any, count: i32, result: Any): void {
  if (!requireArguments(count, 4)) return;
  const logits = kernelTensorAt(args, 0, FLOAT32);
  const tokens = kernelTensorAt(args, 2, INT32);
  const biases = kernelTensorAt(args, 3, FLOAT32);
  if (logits == 0 || tokens == 0 || biases == 0) return;
  const entries = <i32>changetype<TensorObject>(tokens).elements;
  if (entries == 0) return;
  begin(KERNEL_APPLY_LOGIT_BIAS);
  bindTensor(changetype<TensorObject>(logits));
  bindTensor(changetype<TensorObject>(tokens));
  bindTensor(changetype<TensorObject>(biases));
  passNumber(entries);
  dispatch(elementWorkgroups(entries));
}

/** Applies a grammar in place: (logits, rows, bitmask [1, vocabulary / 32]). A token whose bit is 0 is forbidden. */
export function applyBitmask(context: usize, args: Any, count: i32, result: Any): void {
  if (!requireArguments(count, 3)) return;
  const logits = kernelTensorAt(args, 0, FLOAT32);
  const bitmask = kernelTensorAt(args, 2, INT32);
  if (logits == 0 || bitmask == 0) return;
  begin(KERNEL_APPLY_BITMASK);
  bindTensor(changetype<TensorObject>(logits));
  bindTensor(changetype<TensorObject>(bitmask));
  dispatch(elementWorkgroups(VOCABULARY));
}

function elementWorkgroups(elements: i32): i32 {
  return (elements + ELEMENT_WORKGROUP - 1) / ELEMENT_WORKGROUP;
}
