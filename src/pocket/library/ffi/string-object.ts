import { allocateObject, freeObject, ObjectHeader } from './object';
import { BYTES, STRING } from './type-index';

/** A string or bytes object. JavaScript reads pointer and length directly after the object header. */
@unmanaged
export class StringObject extends ObjectHeader {
  data: usize;
  length: u32;
}

const SIZE: usize = offsetof<StringObject>();

/** Copies bytes into a new object and appends a NUL, so that the data can be used as a C string, too. */
function makeBytes(data: usize, length: u32, typeIndex: i32): StringObject {
  const object = allocateObject(SIZE + length + 1, typeIndex, freeObject);
  const text = changetype<StringObject>(object);
  text.data = object + SIZE;
  text.length = length;
  memory.copy(text.data, data, length);
  store<u8>(text.data + length, 0);
  return text;
}

export function makeString(data: usize, length: u32): StringObject {
  return makeBytes(data, length, STRING);
}

export function makeByteString(data: usize, length: u32): StringObject {
  return makeBytes(data, length, BYTES);
}

/** Makes a string object from a literal, which must be ASCII. */
export function makeLiteral(text: string): StringObject {
  const object = allocateObject(SIZE + text.length + 1, STRING, freeObject);
  const string = changetype<StringObject>(object);
  string.data = object + SIZE;
  string.length = text.length;
  for (let i = 0; i < text.length; i++) store<u8>(string.data + i, <u8>text.charCodeAt(i));
  return string;
}

/** Whether the `length` bytes at `data` equal the ASCII literal. */
export function spells(data: usize, length: u32, literal: string): bool {
  if (length != <u32>literal.length) return false;
  for (let i = 0; i < literal.length; i++) {
    if (load<u8>(data + i) != <u8>literal.charCodeAt(i)) return false;
  }
  return true;
}

export function cStringLength(text: usize): u32 {
  let length: u32 = 0;
  while (load<u8>(text + length) != 0) length++;
  return length;
}
