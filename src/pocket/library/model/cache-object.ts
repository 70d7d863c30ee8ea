import { Any } from '../ffi/any';
import { objectAt } from '../ffi/arguments';
import { allocateObject, ObjectHeader } from '../ffi/object';
import { CACHE } from '../ffi/type-index';
import { CONTEXT, KEY_VALUE_HEADS, LAYERS, RECORD_BLOCKS } from '../package-data';
import { makeStorage, releaseStorage, Storage, WEBGPU } from '../runtime/storage';
import { makeRotaryTable } from '../gpu/rotary-table';

/** Bytes that one position takes in a layer (see cached-pairs.wgsl). */
export const POSITION_BYTES: i32 = KEY_VALUE_HEADS * RECORD_BLOCKS * 4 * sizeof<u32>();

/** Keys and values of the one sequence WebLLM runs, and how far it has come. */
@unmanaged
export class CacheObject extends ObjectHeader {
  /** Positions that may be filled; the buffers always have room for the model's whole context. */
  capacity: i32;
  /** Positions that are filled. */
  length: i32;
  /** Positions the forward pass in progress adds; 0 outside of one. */
  appending: i32;
  /** Whether there is a sequence, and under which number. */
  hasSequence: bool;
  sequence: i64;
  /** Length an import in progress will end with, or -1; and its layers that came so far. */
  importLength: i32;
  importedLayers: i32;
  rotary: Storage;

  /** One buffer per layer. */
  layer(index: i32): Storage {
    return load<Storage>(this.layerSlot(index));
  }
  setLayer(index: i32, storage: Storage): void {
    store<Storage>(this.layerSlot(index), storage);
  }

  private layerSlot(index: i32): usize {
    return changetype<usize>(this) + offsetof<CacheObject>() + index * sizeof<usize>();
  }
}

export function makeCache(capacity: i32): CacheObject {
  const size = offsetof<CacheObject>() + LAYERS * sizeof<usize>();
  const cache = changetype<CacheObject>(allocateObject(size, CACHE, destroyCache));
  cache.capacity = capacity;
  cache.importLength = -1;
  cache.rotary = makeRotaryTable(CONTEXT);
  for (let i = 0; i < LAYERS; i++) {
    cache.setLayer(i, makeStorage(WEBGPU, CONTEXT * POSITION_BYTES));
  }
  return cache;
}

/** The cache argument, borrowed; 0 after raising. */
export function cacheAt(args: Any, index: i32): usize {
  return objectAt(args, index, CACHE);
}

function destroyCache(object: usize): void {
  const cache = changetype<CacheObject>(object);
  for (let i = 0; i < LAYERS; i++) releaseStorage(cache.layer(i));
  releaseStorage(cache.rotary);
  heap.free(object);
}
