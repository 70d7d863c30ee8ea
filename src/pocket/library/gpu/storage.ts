import { dropBuffer, takeBuffer } from './buffer-pool';

export const CPU: i32 = 1;
export const WEBGPU: i32 = 15;

/** Reference-counted memory on the CPU or GPU, shared by a tensor and its views. */
@unmanaged
export class Storage {
  references: i32;
  deviceType: i32;
  /** Address in linear memory, or number of a GPU buffer. */
  data: usize;
  bytes: u32;
}

export function makeStorage(deviceType: i32, bytes: u32): Storage {
  const storage = new Storage();
  storage.references = 1;
  storage.deviceType = deviceType;
  storage.bytes = bytes;
  storage.data = deviceType == WEBGPU ? <usize>takeBuffer(bytes) : heap.alloc(bytes);
  return storage;
}

export function retainStorage(storage: Storage): Storage {
  storage.references++;
  return storage;
}

export function releaseStorage(storage: Storage): void {
  storage.references--;
  if (storage.references == 0) freeStorage(storage);
}

function freeStorage(storage: Storage): void {
  if (storage.deviceType == WEBGPU) dropBuffer(<i32>storage.data, storage.bytes);
  else heap.free(storage.data);
  heap.free(changetype<usize>(storage));
}
