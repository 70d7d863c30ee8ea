/** Destructor: releases what an object owns and frees the object. Called when its last reference is released. */
export type Destroy = (object: usize) => void;

/** The header (24 bytes) of every reference-counted object. JavaScript reads the type index at offset 8. */
@unmanaged
export class ObjectHeader {
  references: i64;
  typeIndex: i32;
  private unused: i32;
  destroy: usize;
  private alsoUnused: i32;
}

/** Makes an object of `size` bytes, header included, with one reference that the caller owns. */
export function allocateObject(size: usize, typeIndex: i32, destroy: Destroy): usize {
  const object = heap.alloc(size);
  memory.fill(object, 0, size);
  const header = changetype<ObjectHeader>(object);
  header.references = 1;
  header.typeIndex = typeIndex;
  header.destroy = changetype<usize>(destroy);
  return object;
}

export function retain(object: usize): void {
  if (object == 0) return;
  changetype<ObjectHeader>(object).references++;
}

export function release(object: usize): void {
  if (object == 0) return;
  const header = changetype<ObjectHeader>(object);
  header.references--;
  if (header.references == 0) changetype<Destroy>(header.destroy)(object);
}

/** Destructor for objects that hold no references. */
export function freeObject(object: usize): void {
  heap.free(object);
}
