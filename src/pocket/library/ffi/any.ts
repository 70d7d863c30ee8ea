import { release, retain } from './object';
import { cStringLength, makeByteString, makeString } from './string-object';
import { BYTES, BYTE_ARRAY, FIRST_OBJECT, FLOAT, INTEGER, NONE, RAW_STRING, STRING } from './type-index';

/** Size in bytes of one `Any`: type index, length of a small string, eight bytes of content. */
export const ANY_SIZE: usize = 16;
const CONTENT: usize = 8;

/** A tagged value (`TVMFFIAny`): one argument or result of a call between JavaScript and this library. */
@unmanaged
export class Any {
  typeIndex: i32;
  smallLength: i32;

  get integer(): i64 {
    return load<i64>(changetype<usize>(this), CONTENT);
  }
  get float(): f64 {
    return load<f64>(changetype<usize>(this), CONTENT);
  }
  get pointer(): usize {
    return load<usize>(changetype<usize>(this), CONTENT);
  }
  get contentAddress(): usize {
    return changetype<usize>(this) + CONTENT;
  }

  setNone(): void {
    this.set(NONE, 0);
  }
  setInteger(value: i64): void {
    this.set(INTEGER, value);
  }
  setFloat(value: f64): void {
    this.set(FLOAT, reinterpret<i64>(value));
  }

  /** Sets the value to an object. Takes over the caller's reference to it. */
  setObject(typeIndex: i32, object: usize): void {
    this.set(typeIndex, object);
  }

  private set(typeIndex: i32, content: i64): void {
    this.typeIndex = typeIndex;
    this.smallLength = 0;
    store<i64>(changetype<usize>(this), content, CONTENT);
  }
}

export function anyAt(values: Any, index: i32): Any {
  return changetype<Any>(changetype<usize>(values) + <usize>index * ANY_SIZE);
}

/**
 * Copies a borrowed value into one that owns a reference. Raw strings and byte arrays are valid only during the call,
 * so they are copied into objects. `from` and `to` may be the same address.
 */
export function copyOwned(from: Any, to: Any): void {
  const pointer = from.pointer;
  if (from.typeIndex == RAW_STRING) {
    to.setObject(STRING, changetype<usize>(makeString(pointer, cStringLength(pointer))));
  } else if (from.typeIndex == BYTE_ARRAY) {
    const bytes = makeByteString(load<usize>(pointer), load<u32>(pointer, sizeof<usize>()));
    to.setObject(BYTES, changetype<usize>(bytes));
  } else {
    if (from.typeIndex >= FIRST_OBJECT) retain(pointer);
    memory.copy(changetype<usize>(to), changetype<usize>(from), ANY_SIZE);
  }
}

export function releaseAny(value: Any): void {
  if (value.typeIndex >= FIRST_OBJECT) release(value.pointer);
  value.setNone();
}
