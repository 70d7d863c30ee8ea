import { Any } from '../ffi/any';
import { objectAt } from '../ffi/arguments';
import { allocateObject, ObjectHeader } from '../ffi/object';
import { CACHE } from '../ffi/type-index';
import { CONTEXT, KEY_VALUE_HEADS, LAYERS, RECORD_BLOCKS } from '../package-data';
import { makeStorage, releaseStorage, Storage, WEBGPU } from '../gpu/storage';
import { makeRotaryTable } from '../gpu/rotary-table';

/** Size in bytes of the keys and values of one position in one layer (see cached-pairs.wgsl). */
export const POSITION_BYTES: i32 = KEY_VALUE_HEADS * RECORD_BLOCKS * 4 * sizeof<u32>();

/** The KV cache. It holds one sequence, since WebLLM uses only one. */
@unmanaged
export class CacheObject extends ObjectHeader {
  /** Maximum number of positions that may be filled. The buffers are sized for the model's whole context. */
  capacity: i32;
  /** Number of filled positions. */
  length: i32;
  /** Number of positions that the current forward pass appends; 0 outside of a forward pass. */
  appending: i32;
  /** Whether a sequence was added. */
  hasSequence: bool;
  /** Id of the sequence, chosen by WebLLM. */
  sequence: i64;
  /** Number of positions in the checkpoint that is being imported; -1 if there is no import. */
  importLength: i32;
  /** Number of layers imported so far. */
  importedLayers: i32;
  rotary: Storage;

  /** Returns the buffer with the keys and values of a layer. */
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

/** Returns a KV cache argument, borrowed. Records an error and returns 0 if it has another type. */
export function cacheAt(args: Any, index: i32): usize {
  return objectAt(args, index, CACHE);
}

function destroyCache(object: usize): void {
  const cache = changetype<CacheObject>(object);
  for (let i = 0; i < LAYERS; i++) releaseStorage(cache.layer(i));
  releaseStorage(cache.rotary);
  heap.free(object);
}
