import { Any } from '../ffi/any';
import { integerAt, objectAt, requireArguments } from '../ffi/arguments';
import { raise } from '../ffi/error';
import { registerNative } from '../ffi/registry';
import { ShapeObject } from '../ffi/shape-object';
import { SHAPE } from '../ffi/type-index';
import { PREFILL_CHUNK } from '../package-data';
import { cacheAt, CacheObject } from './cache-object';

export function registerCacheFunctions(): void {
  registerNative('vm.builtin.kv_state_clear', clear);
  registerNative('vm.builtin.kv_state_add_sequence', addSequence);
  registerNative('vm.builtin.kv_state_remove_sequence', removeSequence);
  registerNative('vm.builtin.kv_state_fork_sequence', forkSequence);
  registerNative('vm.builtin.kv_state_begin_forward', beginForward);
  registerNative('vm.builtin.kv_state_end_forward', endForward);
  registerNative('vm.builtin.kv_state_popn', popPositions);
  registerNative('vm.builtin.attention_kv_cache_enable_sliding_window_for_seq', enableSlidingWindow);
}

/**
 * Returns the KV cache in argument 0, borrowed. Records an error and returns 0 unless argument 1 is the id of the
 * cache's sequence.
 */
export function sequenceAt(args: Any, count: i32): usize {
  if (!requireArguments(count, 2)) return 0;
  const found = cacheAt(args, 0);
  if (found == 0) return 0;
  const cache = changetype<CacheObject>(found);
  const sequence = integerAt(args, 1);
  if (cache.hasSequence && cache.sequence == sequence) return found;
  raise(`The cache has no sequence ${sequence}`);
  return 0;
}

/**
 * Empties the cache: (cache). The buffers are not overwritten: attention reads only positions below the length, and
 * each position is written before the length includes it.
 */
function clear(context: usize, args: Any, count: i32, result: Any): void {
  if (!requireArguments(count, 1)) return;
  const found = cacheAt(args, 0);
  if (found != 0) reset(changetype<CacheObject>(found));
}

/** Adds the cache's only sequence: (cache, sequence id) */
function addSequence(context: usize, args: Any, count: i32, result: Any): void {
  if (!requireArguments(count, 2)) return;
  const found = cacheAt(args, 0);
  if (found == 0) return;
  const cache = changetype<CacheObject>(found);
  if (cache.hasSequence) {
    raise('The cache holds one sequence; remove it before adding another');
    return;
  }
  reset(cache);
  cache.hasSequence = true;
  cache.sequence = integerAt(args, 1);
}

/** Removes the sequence and its positions: (cache, sequence id) */
function removeSequence(context: usize, args: Any, count: i32, result: Any): void {
  const found = sequenceAt(args, count);
  if (found != 0) reset(changetype<CacheObject>(found));
}

function forkSequence(context: usize, args: Any, count: i32, result: Any): void {
  raise('Forking needs a second sequence, and the cache holds only one');
}

/** Begins a forward pass: (cache, shape of one sequence id, shape of one number of tokens to append) */
function beginForward(context: usize, args: Any, count: i32, result: Any): void {
  if (!requireArguments(count, 3)) return;
  const found = cacheAt(args, 0);
  const sequences = objectAt(args, 1, SHAPE);
  const lengths = objectAt(args, 2, SHAPE);
  if (found == 0 || sequences == 0 || lengths == 0) return;
  const cache = changetype<CacheObject>(found);
  const sequence = changetype<ShapeObject>(sequences);
  const length = changetype<ShapeObject>(lengths);
  if (sequence.length != 1 || length.length != 1) {
    raise('The cache holds one sequence, so a forward pass takes one');
    return;
  }
  if (!cache.hasSequence || cache.sequence != sequence.at(0)) {
    raise(`The cache has no sequence ${sequence.at(0)}`);
    return;
  }
  const appending = length.at(0);
  if (appending < 1 || appending > PREFILL_CHUNK) {
    raise(`A forward pass takes 1 to ${PREFILL_CHUNK} tokens, not ${appending}`);
  } else if (cache.length + appending > cache.capacity) {
    raise(`${appending} more tokens do not fit: ${cache.length} of ${cache.capacity} are in use`);
  } else {
    cache.appending = <i32>appending;
  }
}

/** Ends a forward pass, and makes the appended positions valid: (cache) */
function endForward(context: usize, args: Any, count: i32, result: Any): void {
  if (!requireArguments(count, 1)) return;
  const found = cacheAt(args, 0);
  if (found == 0) return;
  const cache = changetype<CacheObject>(found);
  cache.length += cache.appending;
  cache.appending = 0;
}

/** Removes the last positions: (cache, sequence id, number of positions) */
function popPositions(context: usize, args: Any, count: i32, result: Any): void {
  const found = sequenceAt(args, count);
  if (found == 0 || !requireArguments(count, 3)) return;
  const cache = changetype<CacheObject>(found);
  const popped = integerAt(args, 2);
  if (popped < 0 || popped > cache.length) {
    raise(`Cannot forget ${popped} of ${cache.length} positions`);
    return;
  }
  cache.length -= <i32>popped;
}

function enableSlidingWindow(context: usize, args: Any, count: i32, result: Any): void {
  raise('This model has no sliding window; set context_window_size instead');
}

function reset(cache: CacheObject): void {
  cache.hasSequence = false;
  cache.length = 0;
  cache.appending = 0;
  cache.importLength = -1;
}
