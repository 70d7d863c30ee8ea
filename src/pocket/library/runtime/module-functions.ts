import { Any } from '../ffi/any';
import { objectAt, requireArguments, textAt } from '../ffi/arguments';
import { raise } from '../ffi/error';
import { makeNativeFunction, NativeFunction } from '../ffi/function-object';
import { Lookup, makeModule, ModuleObject } from '../ffi/module-object';
import { release, retain } from '../ffi/object';
import { registerNative } from '../ffi/registry';
import { spells } from '../ffi/string-object';
import { FUNCTION, MODULE, STRING } from '../ffi/type-index';
import { installKernel } from '../gpu/kernel';
import { kernelCode, kernelNamed, kernelTable, metadataText } from '../package-texts';

/** Looks up a function of the model by name; returns 0 if there is none. */
export type ModelLookup = (name: usize, length: u32) => usize;

let lookupInModel: usize = 0;

/**
 * Registers the global functions through which WebLLM finds the functions of the model. `lookup` resolves their names.
 */
export function registerModules(lookup: ModelLookup): void {
  lookupInModel = changetype<usize>(lookup);
  registerNative('ffi.SystemLib', systemLibrary);
  registerNative('ffi.ModuleGetFunction', moduleFunction);
  registerNative('ffi.ModuleImportModule', importModule);
}

export function native(called: NativeFunction): usize {
  return changetype<usize>(makeNativeFunction(called));
}

/** () → the system library. Its only function returns the executable, the module with the model's functions. */
function systemLibrary(context: usize, args: Any, count: i32, result: Any): void {
  result.setObject(MODULE, changetype<usize>(makeModule(systemFunction)));
}

/** Looks up a module's function: (module, name, whether to search imported modules) → function, or none */
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
  return spells(name, length, 'vm_load_executable') ? native(loadExecutable) : 0;
}

function loadExecutable(context: usize, args: Any, count: i32, result: Any): void {
  result.setObject(MODULE, changetype<usize>(makeModule(executableFunction)));
}

/** Looks up a function of the executable by the name that WebLLM uses. */
function executableFunction(module: usize, name: usize, length: u32): usize {
  if (spells(name, length, 'vm_initialization')) return native(doNothing);
  if (spells(name, length, '_metadata')) return native(metadata);
  if (spells(name, length, 'webgpu.get_fmap')) return native(getKernelTable);
  if (spells(name, length, 'webgpu.get_shader')) return native(getKernelCode);
  if (spells(name, length, 'webgpu.update_prebuild')) return native(updatePrebuilt);
  return changetype<ModelLookup>(lookupInModel)(name, length);
}

/** TVM's `vm_initialization`, which sets devices and allocators. Both are fixed in this library. */
function doNothing(context: usize, args: Any, count: i32, result: Any): void {}

function metadata(context: usize, args: Any, count: i32, result: Any): void {
  result.setObject(STRING, changetype<usize>(metadataText()));
}

function getKernelTable(context: usize, args: Any, count: i32, result: Any): void {
  result.setObject(STRING, changetype<usize>(kernelTable()));
}

/** Returns the shader source of a kernel: (kernel name) → WGSL */
function getKernelCode(context: usize, args: Any, count: i32, result: Any): void {
  const kernel = kernelAt(args, count, 1);
  if (kernel >= 0) result.setObject(STRING, changetype<usize>(kernelCode(kernel)));
}

/** Stores the dispatch function of a kernel that WebLLM has compiled: (kernel name, function) */
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
