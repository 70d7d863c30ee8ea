import { beginCall, callForFunction, callForNumber, pushInteger, pushString } from '../ffi/call';
import { raise } from '../ffi/error';
import { FunctionObject } from '../ffi/function-object';
import { release } from '../ffi/object';
import { findNamed } from '../ffi/registry';
import { KERNEL_COUNT } from '../package-data';
import { kernelCode, kernelDescription } from '../package-texts';
import { Storage } from '../runtime/storage';
import { TensorObject } from '../runtime/tensor-object';

/** The JavaScript function that launches each kernel, 0 while it is not built. */
const launchers = memory.data(KERNEL_COUNT * 4, 4);

/** Installs a launcher that WebLLM built ahead of time; takes over the caller's reference. */
export function installKernel(kernel: i32, launcher: usize): void {
  const slot = launchers + ((<usize>kernel) << 2);
  release(load<usize>(slot));
  store<usize>(slot, launcher);
}

let current: usize = 0;

/** Starts the launch of a kernel. Then its buffers and numbers in order, then `dispatch`. */
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

/** Launches with this many workgroups. */
export function dispatch(x: i32, y: i32 = 1): void {
  pushInteger(x);
  pushInteger(y);
  if (current != 0) callForNumber(changetype<FunctionObject>(current));
}

/** Builds a kernel that was not built ahead of time; 0 after raising. */
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
