import { Any } from '../ffi/any';
import { objectAt, requireArguments } from '../ffi/arguments';
import { raise } from '../ffi/error';
import { ShapeObject } from '../ffi/shape-object';
import { spells } from '../ffi/string-object';
import { CACHE, SHAPE } from '../ffi/type-index';
import { CONTEXT } from '../package-data';
import { native } from '../runtime/module-functions';
import { makeCache } from './cache-object';
import { embed, forward } from './forward';
import {
  applyBitmask,
  applyLogitBias,
  applyPenalty,
  argsortProbabilities,
  sampleWithTopP,
  softmaxWithTemperature,
} from './sampling';

/** Looks up a function of a chat model by the name that WebLLM uses; 0 if there is none. */
export function chatFunction(name: usize, length: u32): usize {
  if (spells(name, length, 'embed')) return native(embed);
  if (spells(name, length, 'prefill')) return native(forward);
  if (spells(name, length, 'decode')) return native(forward);
  if (spells(name, length, 'create_tir_paged_kv_cache')) return native(createCache);
  if (spells(name, length, 'softmax_with_temperature')) return native(softmaxWithTemperature);
  if (spells(name, length, 'argsort_probs')) return native(argsortProbabilities);
  if (spells(name, length, 'sample_with_top_p')) return native(sampleWithTopP);
  if (spells(name, length, 'apply_penalty_inplace')) return native(applyPenalty);
  if (spells(name, length, 'apply_logit_bias_inplace')) return native(applyLogitBias);
  if (spells(name, length, 'apply_bitmask_inplace')) return native(applyBitmask);
  return 0;
}

/**
 * Creates the KV cache: (number of sequences, capacity, prefill chunk size, page size, sliding window) → cache. Each
 * argument is a shape with one integer.
 */
function createCache(context: usize, args: Any, count: i32, result: Any): void {
  if (!requireArguments(count, 5)) return;
  const sequences = firstOf(args, 0);
  const capacity = firstOf(args, 1);
  if (sequences != 1 || firstOf(args, 4) != 0) {
    raise('The cache holds one sequence, without a sliding window');
  } else if (capacity < 1 || capacity > CONTEXT) {
    raise(`This model's context_window_size is 1 to ${CONTEXT}, not ${capacity}`);
  } else {
    result.setObject(CACHE, changetype<usize>(makeCache(<i32>capacity)));
  }
}

function firstOf(args: Any, index: i32): i64 {
  const found = objectAt(args, index, SHAPE);
  return found == 0 ? -1 : changetype<ShapeObject>(found).at(0);
}
