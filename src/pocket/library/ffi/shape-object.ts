import { allocateObject, freeObject, ObjectHeader } from './object';
import { SHAPE } from './type-index';

/** A tuple of integers. */
@unmanaged
export class ShapeObject extends ObjectHeader {
  data: usize;
  length: u32;

  at(index: i32): i64 {
    return load<i64>(this.data + ((<usize>index) << 3));
  }
  set(index: i32, value: i64): void {
    store<i64>(this.data + ((<usize>index) << 3), value);
  }
}

export function makeShape(length: i32): ShapeObject {
  const size = offsetof<ShapeObject>();
  const object = allocateObject(size + ((<usize>length) << 3), SHAPE, freeObject);
  const shape = changetype<ShapeObject>(object);
  shape.data = object + size;
  shape.length = length;
  return shape;
}
