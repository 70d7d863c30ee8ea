import { TVMFFIWasmFunctionDeleter, TVMFFIWasmSafeCall } from '../env';
import { Any } from './any';
import { raise } from './error';
import { allocateObject, ObjectHeader, release } from './object';
import { FUNCTION } from './type-index';

/** Signature of a TVM function of this library. `context` is the object that it closes over, or 0. */
export type NativeFunction = (context: usize, args: Any, count: i32, result: Any) => void;

@unmanaged
export class FunctionObject extends ObjectHeader {
  /** A `NativeFunction` of this library, or 0 for a JavaScript function. */
  native: usize;
  /** Object the function closes over and keeps alive, or 0. */
  context: usize;
  /** Index in WebLLM's function table, for a JavaScript function. */
  resource: i32;
}

/** Makes a function object for a function of this library. Takes over the caller's reference to `context`. */
export function makeNativeFunction(native: NativeFunction, context: usize = 0): FunctionObject {
  const made = allocate();
  made.native = changetype<usize>(native);
  made.context = context;
  return made;
}

export function makeJavaScriptFunction(resource: i32): FunctionObject {
  const made = allocate();
  made.resource = resource;
  return made;
}

export function callFunction(called: FunctionObject, args: Any, count: i32, result: Any): void {
  if (called.native != 0) {
    changetype<NativeFunction>(called.native)(called.context, args, count, result);
    return;
  }
  const status = TVMFFIWasmSafeCall(called.resource, changetype<usize>(args), count, changetype<usize>(result));
  // JavaScript normally has recorded a message before; then this one is ignored.
  if (status != 0) raise('A JavaScript function failed without saying why');
}

function allocate(): FunctionObject {
  return changetype<FunctionObject>(allocateObject(offsetof<FunctionObject>(), FUNCTION, destroyFunction));
}

function destroyFunction(object: usize): void {
  const destroyed = changetype<FunctionObject>(object);
  if (destroyed.native == 0) TVMFFIWasmFunctionDeleter(destroyed.resource);
  release(destroyed.context);
  heap.free(object);
}
