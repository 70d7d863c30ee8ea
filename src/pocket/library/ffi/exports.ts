// The C functions of TVM's foreign-function interface, which JavaScript calls by name. A status of -1 means that an
// error message was recorded (see error.ts).

import { Any, copyOwned } from './any';
import { lastError, raise, raiseCString, takeStatus } from './error';
import { callFunction, FunctionObject, makeJavaScriptFunction } from './function-object';
import { release, retain } from './object';
import { findGlobal, registerGlobal } from './registry';
import { spells } from './string-object';
import { typeKey, CACHE } from './type-index';
import { dataTypeText } from './data-type';

/** A borrowed string (`TVMFFIByteArray`): pointer and length. JavaScript passes names in this form. */
@unmanaged
class ByteArray {
  data: usize;
  length: u32;
}

export function TVMWasmAllocSpace(size: i32): usize {
  return heap.alloc(size);
}

export function TVMWasmFreeSpace(space: usize): i32 {
  heap.free(space);
  return 0;
}

export function TVMFFIWasmGetLastError(): usize {
  return lastError();
}

export function TVMFFIErrorSetRaisedFromCStr(kind: usize, message: usize): void {
  raiseCString(message);
}

export function TVMFFIFunctionGetGlobal(name: ByteArray, out: usize): i32 {
  const found = findGlobal(name.data, name.length);
  retain(found);
  store<usize>(out, found);
  return 0;
}

export function TVMFFIFunctionSetGlobal(name: ByteArray, called: FunctionObject, replace: i32): i32 {
  if (!registerGlobal(name.data, name.length, called, replace != 0)) {
    raise('A global function of this name exists already');
  }
  return takeStatus();
}

export function TVMFFIFunctionCall(called: FunctionObject, args: Any, count: i32, result: Any): i32 {
  callFunction(called, args, count, result);
  return takeStatus();
}

export function TVMFFIWasmFunctionCreate(resource: i32, out: usize): i32 {
  store<usize>(out, changetype<usize>(makeJavaScriptFunction(resource)));
  return 0;
}

export function TVMFFIAnyViewToOwnedAny(from: Any, to: Any): i32 {
  copyOwned(from, to);
  return 0;
}

export function TVMFFIObjectIncRef(object: usize): i32 {
  retain(object);
  return 0;
}

export function TVMFFIObjectDecRef(object: usize): i32 {
  release(object);
  return 0;
}

export function TVMFFITypeKeyToIndex(key: ByteArray, out: usize): i32 {
  for (let index = 0; index <= CACHE; index++) {
    const known = typeKey(index);
    if (known.length != 0 && spells(key.data, key.length, known)) {
      store<i32>(out, index);
      return 0;
    }
  }
  raise('Unknown type key');
  return takeStatus();
}

/**
 * Returns a pointer to the {index, depth, key} of a type. The next call overwrites it, so callers must read it
 * immediately.
 */
export function TVMFFIGetTypeInfo(typeIndex: i32): usize {
  const key = typeKey(typeIndex);
  for (let i = 0; i < key.length; i++) store<u8>(keyText + i, <u8>key.charCodeAt(i));
  store<i32>(typeInfo, typeIndex);
  store<i32>(typeInfo, 1, 4);
  store<usize>(typeInfo, keyText, 8);
  store<u32>(typeInfo, key.length, 12);
  return typeInfo;
}

/** Writes the name of a data type to `out` as a new string object. `dataType` and `out` may be the same address. */
export function TVMFFIDataTypeToString(dataType: usize, out: usize): i32 {
  const text = dataTypeText(load<u32>(dataType));
  store<usize>(out, changetype<usize>(text));
  return 0;
}

const typeInfo = memory.data(16, 8);
const keyText = memory.data(32);
