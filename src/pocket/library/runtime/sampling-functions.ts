import { Any } from '../ffi/any';
import { numberAt, requireArguments } from '../ffi/arguments';
import { registerNative } from '../ffi/registry';
import { FLOAT32, INT32 } from '../ffi/data-type';
import { cpuTensorAt, TensorObject } from '../gpu/tensor-object';

// Sampling on the CPU, for logits that were read back. Instead of sorting, it repeatedly picks the greatest remaining
// probability, which is fast enough for Pocket's small vocabulary.

export function registerSamplingFunctions(): void {
  registerNative('vm.builtin.sample_top_p_from_logits', sampleFromLogits);
  registerNative('vm.builtin.sample_top_p_from_prob', sampleFromProbabilities);
  registerNative('vm.builtin.apply_repetition_penalty', applyRepetitionPenalty);
  registerNative('vm.builtin.apply_presence_and_frequency_penalty', applyCountPenalties);
  registerNative('vm.builtin.apply_softmax_with_temperature', applySoftmax);
}

/** Samples a token: (logits, temperature, top_p, uniform sample) → token id */
function sampleFromLogits(context: usize, args: Any, count: i32, result: Any): void {
  if (!requireArguments(count, 4)) return;
  const found = cpuTensorAt(args, 0, FLOAT32);
  if (found == 0) return;
  const logits = changetype<TensorObject>(found);
  const length = <i32>logits.elements;
  const probabilities = heap.alloc(length * 4);
  memory.copy(probabilities, logits.address, length * 4);
  softmax(probabilities, length, numberAt(args, 1));
  result.setInteger(sample(probabilities, length, numberAt(args, 2), numberAt(args, 3)));
  heap.free(probabilities);
}

/** Samples a token: (probabilities, top_p, uniform sample) → token id */
function sampleFromProbabilities(context: usize, args: Any, count: i32, result: Any): void {
  if (!requireArguments(count, 3)) return;
  const found = cpuTensorAt(args, 0, FLOAT32);
  if (found == 0) return;
  const tensor = changetype<TensorObject>(found);
  const length = <i32>tensor.elements;
  result.setInteger(sample(tensor.address, length, numberAt(args, 1), numberAt(args, 2)));
}

/**
 * Applies a repetition penalty in place: (logits, token ids, penalty). It divides positive logits and multiplies
 * others.
 */
function applyRepetitionPenalty(context: usize, args: Any, count: i32, result: Any): void {
  if (!requireArguments(count, 3)) return;
  const logits = cpuTensorAt(args, 0, FLOAT32);
  const tokens = cpuTensorAt(args, 1, INT32);
  if (logits == 0 || tokens == 0) return;
  const penalty = <f32>numberAt(args, 2);
  const entries = <i32>changetype<TensorObject>(tokens).elements;
  for (let i = 0; i < entries; i++) {
    const logit = logitOf(logits, tokens, i);
    const value = load<f32>(logit);
    store<f32>(logit, value > 0 ? value / penalty : value * penalty);
  }
}

/** Applies penalties in place: (logits, token ids, their counts, presence penalty, frequency penalty) */
function applyCountPenalties(context: usize, args: Any, count: i32, result: Any): void {
  if (!requireArguments(count, 5)) return;
  const logits = cpuTensorAt(args, 0, FLOAT32);
  const tokens = cpuTensorAt(args, 1, INT32);
  const counts = cpuTensorAt(args, 2, INT32);
  if (logits == 0 || tokens == 0 || counts == 0) return;
  const presence = <f32>numberAt(args, 3);
  const frequency = <f32>numberAt(args, 4);
  const entries = <i32>changetype<TensorObject>(tokens).elements;
  for (let i = 0; i < entries; i++) {
    const times = load<i32>(changetype<TensorObject>(counts).address + i * 4);
    const logit = logitOf(logits, tokens, i);
    store<f32>(logit, load<f32>(logit) - presence - <f32>times * frequency);
  }
}

/** Replaces logits by probabilities in place: (logits, temperature) */
function applySoftmax(context: usize, args: Any, count: i32, result: Any): void {
  if (!requireArguments(count, 2)) return;
  const found = cpuTensorAt(args, 0, FLOAT32);
  if (found == 0) return;
  const logits = changetype<TensorObject>(found);
  softmax(logits.address, <i32>logits.elements, numberAt(args, 1));
}

/** Returns the address of the logit that belongs to entry `index` of `tokens`. */
function logitOf(logits: usize, tokens: usize, index: i32): usize {
  const token = load<i32>(changetype<TensorObject>(tokens).address + index * 4);
  return changetype<TensorObject>(logits).address + token * 4;
}

function softmax(values: usize, length: i32, temperature: f64): void {
  // Temperature 0 means greedy sampling. A tiny temperature has the same result and avoids a division by 0.
  const scale = 1 / max<f64>(temperature, 1e-6);
  let greatest = load<f32>(values);
  for (let i = 1; i < length; i++) greatest = max<f32>(greatest, load<f32>(values + i * 4));
  let sum: f64 = 0;
  for (let i = 0; i < length; i++) {
    const power = Math.exp(<f64>(load<f32>(values + i * 4) - greatest) * scale);
    store<f32>(values + i * 4, <f32>power);
    sum += power;
  }
  for (let i = 0; i < length; i++) {
    store<f32>(values + i * 4, <f32>(<f64>load<f32>(values + i * 4) / sum));
  }
}

/** Samples from the most likely tokens that together reach the probability `topP`. `uniform` in [0, 1) selects one. */
function sample(probabilities: usize, length: i32, topP: f64, uniform: f64): i32 {
  const rest = heap.alloc(length * 4);
  const order = heap.alloc(length * 4);
  memory.copy(rest, probabilities, length * 4);
  let kept = 0;
  let mass: f64 = 0;
  while (kept < length && (kept == 0 || mass < topP)) {
    const token = greatestIndex(rest, length);
    store<i32>(order + kept * 4, token);
    mass += load<f32>(probabilities + token * 4);
    store<f32>(rest + token * 4, -1);
    kept++;
  }
  let chosen = load<i32>(order + (kept - 1) * 4);
  let reached: f64 = 0;
  for (let i = 0; i < kept; i++) {
    const token = load<i32>(order + i * 4);
    reached += load<f32>(probabilities + token * 4);
    if (reached > uniform * mass) {
      chosen = token;
      break;
    }
  }
  heap.free(rest);
  heap.free(order);
  return chosen;
}

function greatestIndex(values: usize, length: i32): i32 {
  let greatest = 0;
  for (let i = 1; i < length; i++) {
    if (load<f32>(values + i * 4) > load<f32>(values + greatest * 4)) greatest = i;
  }
  return greatest;
}
