import { beginCall, callForFunction, callForNumber, pushInteger, pushString } from '../ffi/call';
import { raise } from '../ffi/error';
import { FunctionObject } from '../ffi/function-object';
import { release } from '../ffi/object';
import { findNamed } from '../ffi/registry';
import { KERNEL_COUNT } from '../package-data';
import { kernelCode, kernelDescription } from '../package-texts';
import { Storage } from './storage';
import { TensorObject } from './tensor-object';

/** For each kernel, the JavaScript function that dispatches it; 0 if its shader is not compiled yet. */
const launchers = memory.data(KERNEL_COUNT * 4, 4);

/**
 * Stores the dispatch function of a kernel that WebLLM compiled in advance. Takes over the caller's reference to it.
 */
export function installKernel(kernel: i32, launcher: usize): void {
  const slot = launchers + ((<usize>kernel) << 2);
  release(load<usize>(slot));
  store<usize>(slot, launcher);
}

let current: usize = 0;

/**
 * Begins a dispatch of a kernel. After this, bind its buffers and pass its numbers in the kernel's order, then call
 * `dispatch`.
 */
export function begin(kernel: i32): void {
  const slot = launchers + ((<usize>kernel) << 2);
  if (load<usize>(slot) == 0) store<usize>(slot, build(kernel));
  current = load<usize>(slot);
  beginCall();
}

export function bindTensor(tensor: TensorObject): void {
  pushInteger(tensor.data);
}

export function bindStorage(storage: Storage): void {
  pushInteger(storage.data);
}

export function passNumber(value: i32): void {
  pushInteger(value);
}

/** Dispatches the current kernel with x × y workgroups. */
export function dispatch(x: i32, y: i32 = 1): void {
  pushInteger(x);
  pushInteger(y);
  if (current != 0) callForNumber(changetype<FunctionObject>(current));
}

/** Compiles a kernel and returns its dispatch function. Records an error and returns 0 on failure. */
function build(kernel: i32): usize {
  const create = findNamed('wasm.WebGPUCreateShader');
  if (create == 0) {
    raise('WebGPU is not set up yet');
    return 0;
  }
  const description = kernelDescription(kernel);
  const code = kernelCode(kernel);
  beginCall();
  pushString(description);
  pushString(code);
  const launcher = callForFunction(changetype<FunctionObject>(create));
  release(changetype<usize>(description));
  release(changetype<usize>(code));
  return launcher;
}
