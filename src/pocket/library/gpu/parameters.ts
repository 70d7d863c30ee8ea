import { Any } from '../ffi/any';
import { objectAt } from '../ffi/arguments';
import { ArrayObject } from '../ffi/array-object';
import { raise } from '../ffi/error';
import { ARRAY } from '../ffi/type-index';
import { bindTensor } from './kernel';
import { LAYERS, PARAMETERS } from '../package-data';
import { TensorObject } from './tensor-object';

// Order of the parameters: embedding, then per layer norm, qkv, output, norm, gate_up, down, then the final norm, which
// only chat models have. A matrix is its packed words followed by its scales.

const MATRIX: i32 = 2;
const LAYER: i32 = 2 + 4 * MATRIX;

export const EMBEDDING: i32 = 0;
export const FINAL_NORM: i32 = MATRIX + LAYERS * LAYER;

// Indices of parameters, relative to the first parameter of their layer.
export const ATTENTION_NORM: i32 = 0;
export const QKV: i32 = 1;
export const OUTPUT: i32 = 1 + MATRIX;
export const MLP_NORM: i32 = 1 + 2 * MATRIX;
export const GATE_UP: i32 = 2 + 2 * MATRIX;
export const DOWN: i32 = 2 + 3 * MATRIX;

export function layerParameter(layer: i32, position: i32): i32 {
  return MATRIX + layer * LAYER + position;
}

/** Returns the array of parameters in an argument, borrowed. Records an error and returns 0 if it is invalid. */
export function parametersAt(args: Any, index: i32): usize {
  const found = objectAt(args, index, ARRAY);
  if (found == 0) return 0;
  const length = changetype<ArrayObject>(found).length;
  if (length == PARAMETERS) return found;
  raise(`Expected ${PARAMETERS} parameters, got ${length}`);
  return 0;
}

export function bindVector(parameters: usize, index: i32): void {
  bindTensor(tensor(parameters, index));
}

/** Binds the two tensors of a quantized matrix: packed words and scales. */
export function bindMatrix(parameters: usize, index: i32): void {
  bindTensor(tensor(parameters, index));
  bindTensor(tensor(parameters, index + 1));
}

function tensor(parameters: usize, index: i32): TensorObject {
  return changetype<TensorObject>(changetype<ArrayObject>(parameters).at(index).pointer);
}
