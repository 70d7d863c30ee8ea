import { beginCall, callForFunction, callForNumber, pushInteger, pushString } from '../ffi/call';
import { raise } from '../ffi/error';
import { FunctionObject } from '../ffi/function-object';
import { release } from '../ffi/object';
import { findNamed } from '../ffi/registry';
import { makeLiteral } from '../ffi/string-object';

// WebGPU operations, implemented by WebLLM in JavaScript. A buffer is identified by a number; 0 means none. The
// functions are looked up at first use, since JavaScript registers them after this module has started.

let allocate: usize = 0;
let free: usize = 0;
let copyTo: usize = 0;
let copyFrom: usize = 0;
let copyWithin: usize = 0;

export function allocateBuffer(bytes: u32): i32 {
  if (allocate == 0) allocate = deviceFunction('deviceAllocDataSpace');
  beginCall();
  pushInteger(bytes);
  return call(allocate);
}

export function freeBuffer(buffer: i32): void {
  if (free == 0) free = deviceFunction('deviceFreeDataSpace');
  beginCall();
  pushInteger(buffer);
  call(free);
}

export function copyToBuffer(from: usize, buffer: i32, offset: u64, bytes: u64): void {
  if (copyTo == 0) copyTo = deviceFunction('deviceCopyToGPU');
  beginCall();
  pushInteger(from);
  pushInteger(buffer);
  pushInteger(offset);
  pushInteger(bytes);
  call(copyTo);
}

/**
 * Starts to copy from a GPU buffer into linear memory. The data have arrived when JavaScript has awaited
 * `device.sync()`.
 */
export function copyFromBuffer(buffer: i32, offset: u64, to: usize, bytes: u64): void {
  if (copyFrom == 0) copyFrom = deviceFunction('deviceCopyFromGPU');
  beginCall();
  pushInteger(buffer);
  pushInteger(offset);
  pushInteger(to);
  pushInteger(bytes);
  call(copyFrom);
}

export function copyBetweenBuffers(from: i32, fromOffset: u64, to: i32, toOffset: u64, bytes: u64): void {
  if (copyWithin == 0) copyWithin = deviceFunction('deviceCopyWithinGPU');
  beginCall();
  pushInteger(from);
  pushInteger(fromOffset);
  pushInteger(to);
  pushInteger(toOffset);
  pushInteger(bytes);
  call(copyWithin);
}

function call(called: usize): i32 {
  return called == 0 ? 0 : callForNumber(changetype<FunctionObject>(called));
}

function deviceFunction(name: string): usize {
  const api = findNamed('wasm.WebGPUDeviceAPI');
  if (api == 0) {
    raise('WebGPU is not set up yet');
    return 0;
  }
  const text = makeLiteral(name);
  beginCall();
  pushString(text);
  const found = callForFunction(changetype<FunctionObject>(api));
  release(changetype<usize>(text));
  return found;
}
