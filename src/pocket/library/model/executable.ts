import { Any } from '../ffi/any';
import { objectAt, requireArguments, textAt } from '../ffi/arguments';
import { raise } from '../ffi/error';
import { makeNativeFunction, NativeFunction } from '../ffi/function-object';
import { Lookup, makeModule, ModuleObject } from '../ffi/module-object';
import { registerNative } from '../ffi/registry';
import { release, retain } from '../ffi/object';
import { ShapeObject } from '../ffi/shape-object';
import { spells } from '../ffi/string-object';
import { CACHE, FUNCTION, MODULE, SHAPE, STRING } from '../ffi/type-index';
import { installKernel } from '../gpu/kernel';
import { CONTEXT } from '../package-data';
import { kernelCode, kernelNamed, kernelTable, metadataText } from '../package-texts';
import { makeCache } from './cache-object';
import { embed, forward } from './forward';
import {
  applyBitmask, applyLogitBias, applyPenalty, argsortProbabilities, sampleWithTopP,
  softmaxWithTemperature,
} from './sampling';

export function registerModules(): void {
  registerNative('ffi.SystemLib', systemLibrary);
  registerNative('ffi.ModuleGetFunction', moduleFunction);
  registerNative('ffi.ModuleImportModule', importModule);
}

/** () → the system library, whose one function makes the executable */
function systemLibrary(context: usize, args: Any, count: i32, result: Any): void {
  result.setObject(MODULE, changetype<usize>(makeModule(systemFunction)));
}

/** (module, name, whether to look into imported modules) → function, or nothing */
function moduleFunction(context: usize, args: Any, count: i32, result: Any): void {
  if (!requireArguments(count, 2)) return;
  const module = objectAt(args, 0, MODULE);
  if (module == 0) return;
  const name = textAt(args, 1);
  const lookup = changetype<Lookup>(changetype<ModuleObject>(module).lookup);
  const found = lookup(module, name.data, name.length);
  release(changetype<usize>(name));
  if (found != 0) result.setObject(FUNCTION, found);
}

function importModule(context: usize, args: Any, count: i32, result: Any): void {
  raise('This library has nothing to import modules into');
}

function systemFunction(module: usize, name: usize, length: u32): usize {
  if (!spells(name, length, 'vm_load_executable')) return 0;
  return changetype<usize>(makeNativeFunction(loadExecutable));
}

function loadExecutable(context: usize, args: Any, count: i32, result: Any): void {
  result.setObject(MODULE, changetype<usize>(makeModule(executableFunction)));
}

/** The functions of a model library, by the names WebLLM asks for. */
function executableFunction(module: usize, name: usize, length: u32): usize {
  if (spells(name, length, 'vm_initialization')) return native(doNothing);
  if (spells(name, length, '_metadata')) return native(metadata);
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
  if (spells(name, length, 'webgpu.get_fmap')) return native(getKernelTable);
  if (spells(name, length, 'webgpu.get_shader')) return native(getKernelCode);
  if (spells(name, length, 'webgpu.update_prebuild')) return native(updatePrebuilt);
  return 0;
}

function native(called: NativeFunction): usize {
  return changetype<usize>(makeNativeFunction(called));
}

/** Devices and allocators are settled here, so there is nothing to initialise. */
function doNothing(context: usize, args: Any, count: i32, result: Any): void {}

function metadata(context: usize, args: Any, count: i32, result: Any): void {
  result.setObject(STRING, changetype<usize>(metadataText()));
}

/** (sequences, total length, prefill chunk, page size, sliding window), each a shape of one */
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

function getKernelTable(context: usize, args: Any, count: i32, result: Any): void {
  result.setObject(STRING, changetype<usize>(kernelTable()));
}

/** (kernel name) → WGSL */
function getKernelCode(context: usize, args: Any, count: i32, result: Any): void {
  const kernel = kernelAt(args, count, 1);
  if (kernel >= 0) result.setObject(STRING, changetype<usize>(kernelCode(kernel)));
}

/** (kernel name, launcher) */
function updatePrebuilt(context: usize, args: Any, count: i32, result: Any): void {
  const kernel = kernelAt(args, count, 2);
  const launcher = kernel < 0 ? <usize>0 : objectAt(args, 1, FUNCTION);
  if (launcher == 0) return;
  retain(launcher);
  installKernel(kernel, launcher);
}

function kernelAt(args: Any, count: i32, wanted: i32): i32 {
  if (!requireArguments(count, wanted)) return -1;
  const name = textAt(args, 0);
  const kernel = kernelNamed(name);
  release(changetype<usize>(name));
  if (kernel < 0) raise('There is no kernel of this name');
  return kernel;
}
