import { Any } from '../ffi/any';
import { integerAt, requireArguments, textAt } from '../ffi/arguments';
import { raise } from '../ffi/error';
import { release } from '../ffi/object';
import { registerNative } from '../ffi/registry';
import { makeLiteral, spells } from '../ffi/string-object';
import { STRING } from '../ffi/type-index';
import { copyBetweenBuffers } from '../gpu/device';
import { KEY_VALUE_HEADS, LAYERS, RECORD_BLOCKS } from '../package-data';
import { UINT32 } from '../ffi/data-type';
import { kernelTensorAt, TensorObject } from '../gpu/tensor-object';
import { sequenceAt } from './cache-functions';
import { CacheObject, POSITION_BYTES } from './cache-object';

// Export and import of the KV cache, for WebLLM's checkpoints. The filled part of each layer is one "page group": a
// tensor [length, heads, words] with keys and values in the cache's own format. Argument lists below are those of TVM
// functions.

export function registerCheckpointFunctions(): void {
  registerNative('vm.builtin.attention_kv_cache_get_checkpoint_metadata', describe);
  registerNative('vm.builtin.attention_kv_cache_export_page_group', exportGroup);
  registerNative('vm.builtin.attention_kv_cache_prepare_import', prepareImport);
  registerNative('vm.builtin.attention_kv_cache_import_page_group', importGroup);
  registerNative('vm.builtin.attention_kv_cache_finish_import', finishImport);
  registerNative('vm.builtin.attention_kv_cache_get_sequence_length', sequenceLength);
}

/** Describes the page groups of the checkpoint: (cache, sequence) → JSON */
function describe(context: usize, args: Any, count: i32, result: Any): void {
  const found = sequenceAt(args, count);
  if (found == 0) return;
  const text = makeLiteral(description(changetype<CacheObject>(found).length));
  result.setObject(STRING, changetype<usize>(text));
  __collect();
}

/** Copies a layer from the cache into a tensor: (cache, sequence, index of the page group, GPU tensor) */
function exportGroup(context: usize, args: Any, count: i32, result: Any): void {
  const found = sequenceAt(args, count);
  if (found == 0) return;
  const cache = changetype<CacheObject>(found);
  copyGroup(cache, cache.length, args, count, true);
}

/** Begins an import: (cache, sequence, JSON from `describe`) */
function prepareImport(context: usize, args: Any, count: i32, result: Any): void {
  const found = sequenceAt(args, count);
  if (found == 0 || !requireArguments(count, 3)) return;
  const cache = changetype<CacheObject>(found);
  const text = textAt(args, 2);
  const length = describedLength(text.data, text.length);
  // Only a checkpoint of this model and library is accepted: its description must be the one that this library writes
  // for the same number of positions.
  if (length < 0 || !spells(text.data, text.length, description(length))) {
    raise('The checkpoint was not made by this model library');
  } else if (length > cache.capacity) {
    raise(`A checkpoint of ${length} positions does not fit into ${cache.capacity}`);
  } else {
    cache.length = 0;
    cache.importLength = length;
    cache.importedLayers = 0;
  }
  release(changetype<usize>(text));
  __collect();
}

/** Copies a tensor into a layer of the cache: (cache, sequence, index of the page group, GPU tensor) */
function importGroup(context: usize, args: Any, count: i32, result: Any): void {
  const found = sequenceAt(args, count);
  if (found == 0) return;
  const cache = changetype<CacheObject>(found);
  if (cache.importLength < 0) {
    raise('No import was prepared');
    return;
  }
  if (copyGroup(cache, cache.importLength, args, count, false)) cache.importedLayers++;
}

/** Ends an import, and makes the imported positions valid if all layers were imported: (cache, sequence) */
function finishImport(context: usize, args: Any, count: i32, result: Any): void {
  const found = sequenceAt(args, count);
  if (found == 0) return;
  const cache = changetype<CacheObject>(found);
  if (cache.importLength < 0 || cache.importedLayers != LAYERS) {
    raise(`The checkpoint is incomplete: ${cache.importedLayers} of ${LAYERS} layers came`);
  } else {
    cache.length = cache.importLength;
  }
  cache.importLength = -1;
}

/** (cache, sequence) → number of filled positions */
function sequenceLength(context: usize, args: Any, count: i32, result: Any): void {
  const found = sequenceAt(args, count);
  if (found != 0) result.setInteger(changetype<CacheObject>(found).length);
}

/** Copies one layer out of the cache (`out`) or into it. Records an error and returns false for invalid arguments. */
function copyGroup(cache: CacheObject, length: i32, args: Any, count: i32, out: bool): bool {
  if (!requireArguments(count, 4)) return false;
  const layer = <i32>integerAt(args, 2);
  const found = kernelTensorAt(args, 3, UINT32);
  if (found == 0) return false;
  const tensor = changetype<TensorObject>(found);
  const bytes = <u64>length * POSITION_BYTES;
  if (layer < 0 || layer >= LAYERS || tensor.bytes != bytes) {
    raise(`Layer ${layer} of ${length} positions does not match the tensor`);
    return false;
  }
  const buffer = <i32>cache.layer(layer).data;
  const outside = <i32>tensor.data;
  if (out) copyBetweenBuffers(buffer, 0, outside, 0, bytes);
  else copyBetweenBuffers(outside, 0, buffer, 0, bytes);
  return true;
}

/** Writes the JSON description of a checkpoint of `length` positions, byte for byte as JSON.stringify formats it. */
function description(length: i32): string {
  let groups = '';
  for (let i = 0; i < LAYERS; i++) {
    if (i != 0) groups += ',';
    groups += `{"group_index":${i},"layer_begin":${i},"layer_end":${i + 1},"shape":[${length},${
      KEY_VALUE_HEADS
    },${4 * RECORD_BLOCKS}],"dtype":"uint32"}`;
  }
  return `{"seq_length":${length},"layout_hash":"pocket-s16-${LAYERS}x${KEY_VALUE_HEADS}x${
    4 * RECORD_BLOCKS
  }","groups":[${groups}]}`;
}

/** Reads the sequence length at the start of a JSON description; -1 if the text does not start with it. */
function describedLength(text: usize, length: u32): i32 {
  const start = '{"seq_length":';
  if (length <= <u32>start.length || !spells(text, start.length, start)) return -1;
  let value = 0;
  for (let at = <u32>start.length; at < length; at++) {
    const digit = <i32>load<u8>(text + at) - 0x30;
    if (digit < 0 || digit > 9) return value;
    value = value * 10 + digit;
  }
  return -1;
}
