import { Any, anyAt, ANY_SIZE, copyOwned, releaseAny } from './any';
import { allocateObject, ObjectHeader } from './object';
import { ARRAY } from './type-index';

/** An array of fixed length. It owns a reference to each of its values. */
@unmanaged
export class ArrayObject extends ObjectHeader {
  length: i32;
  /** Padding that aligns the items to eight bytes. */
  private filler: i32;

  at(index: i32): Any {
    return anyAt(changetype<Any>(changetype<usize>(this) + offsetof<ArrayObject>()), index);
  }
}

export function makeArray(length: i32): ArrayObject {
  const size = offsetof<ArrayObject>() + <usize>length * ANY_SIZE;
  const array = changetype<ArrayObject>(allocateObject(size, ARRAY, destroyArray));
  array.length = length;
  return array;
}

/** Makes an array with copies of the values. The caller keeps its own references. */
export function makeArrayOf(values: Any, length: i32): ArrayObject {
  const array = makeArray(length);
  for (let i = 0; i < length; i++) copyOwned(anyAt(values, i), array.at(i));
  return array;
}

/** Makes an array of two objects. Takes over the caller's references to them. */
export function makePair(firstType: i32, first: usize, secondType: i32, second: usize): ArrayObject {
  const pair = makeArray(2);
  pair.at(0).setObject(firstType, first);
  pair.at(1).setObject(secondType, second);
  return pair;
}

function destroyArray(object: usize): void {
  const array = changetype<ArrayObject>(object);
  for (let i = 0; i < array.length; i++) releaseAny(array.at(i));
  heap.free(object);
}
