// Type indices of the TVM foreign-function interface. Below 64 the value lives in the 16 bytes themselves; from 64 on
// it is a pointer to a reference-counted object.

export const NONE: i32 = 0;
export const INTEGER: i32 = 1;
export const BOOLEAN: i32 = 2;
export const FLOAT: i32 = 3;
export const DEVICE: i32 = 6;
export const RAW_STRING: i32 = 8;
export const BYTE_ARRAY: i32 = 9;
export const SMALL_STRING: i32 = 11;

export const FIRST_OBJECT: i32 = 64;
export const STRING: i32 = 65;
export const BYTES: i32 = 66;
export const FUNCTION: i32 = 68;
export const SHAPE: i32 = 69;
export const TENSOR: i32 = 70;
export const ARRAY: i32 = 71;
export const MODULE: i32 = 73;

/** Type index of the KV cache: the first index that the interface reserves for types of libraries. */
export const CACHE: i32 = 128;

/** Returns the name of a type in TVM's interface; empty if the type has none. */
export function typeKey(typeIndex: i32): string {
  if (typeIndex == STRING) return 'ffi.String';
  if (typeIndex == BYTES) return 'ffi.Bytes';
  if (typeIndex == FUNCTION) return 'ffi.Function';
  if (typeIndex == SHAPE) return 'ffi.Shape';
  if (typeIndex == TENSOR) return 'ffi.Tensor';
  if (typeIndex == ARRAY) return 'ffi.Array';
  if (typeIndex == MODULE) return 'ffi.Module';
  if (typeIndex == CACHE) return 'vm.AttentionKVCache';
  return '';
}
