import { release, retain } from '../ffi/object';
import { releaseStorage, retainStorage, Storage } from './storage';
import { TensorObject } from './tensor-object';

// One operation on the GPU may wait to see whether anybody needs its two results. It runs before a
// result is read, or the input is used for something else, which may overwrite it.

/** Runs the operation: input tensor, storages to fill. */
export type Operation = (input: usize, first: Storage, second: Storage) => void;

let operation: usize = 0;
let input: usize = 0;
let first: usize = 0;
let second: usize = 0;

export function defer(
  run: Operation, inputTensor: usize, firstResult: Storage, secondResult: Storage,
): void {
  settleDeferred();
  retain(inputTensor);
  operation = changetype<usize>(run);
  input = inputTensor;
  first = changetype<usize>(retainStorage(firstResult));
  second = changetype<usize>(retainStorage(secondResult));
  firstResult.deferred = true;
  secondResult.deferred = true;
}

/** Input of the waiting operation if these two tensors are its results; 0 otherwise. */
export function deferredInput(firstTensor: usize, secondTensor: usize): usize {
  if (operation == 0 || firstTensor == 0 || secondTensor == 0) return 0;
  if (changetype<usize>(changetype<TensorObject>(firstTensor).storage) != first) return 0;
  if (changetype<usize>(changetype<TensorObject>(secondTensor).storage) != second) return 0;
  return input;
}

/** Runs the waiting operation if this storage is a result of it, or its input. */
export function settleFor(storage: Storage): void {
  if (operation == 0) return;
  const isInput = storage == changetype<TensorObject>(input).storage;
  if (storage.deferred || isInput) settleDeferred();
}

function settleDeferred(): void {
  if (operation == 0) return;
  const run = changetype<Operation>(operation);
  // Cleared first: the operation binds tensors itself.
  operation = 0;
  run(input, changetype<Storage>(first), changetype<Storage>(second));
  letGo();
}

/** Drops the operation once nobody but this file holds its results. */
export function forgetUnwanted(): void {
  if (operation == 0) return;
  if (changetype<Storage>(first).references > 1) return;
  if (changetype<Storage>(second).references > 1) return;
  operation = 0;
  letGo();
}

function letGo(): void {
  changetype<Storage>(first).deferred = false;
  changetype<Storage>(second).deferred = false;
  releaseStorage(changetype<Storage>(first));
  releaseStorage(changetype<Storage>(second));
  release(input);
}
