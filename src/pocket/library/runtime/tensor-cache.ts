import { Any } from '../ffi/any';
import { integerAt, objectAt, requireArguments, textAt } from '../ffi/arguments';
import { ArrayObject, makeArray } from '../ffi/array-object';
import { raise } from '../ffi/error';
import { makeNativeFunction } from '../ffi/function-object';
import { makeModule, ModuleObject } from '../ffi/module-object';
import { release, retain } from '../ffi/object';
import { registerNative } from '../ffi/registry';
import { makeLiteral, makeString, spells, StringObject } from '../ffi/string-object';
import { ARRAY, MODULE, TENSOR } from '../ffi/type-index';
import { tensorAt } from '../gpu/tensor-object';

// The model's parameters by name. WebLLM adds them while it reads the weight files and requests them afterwards. A
// linear list is fast enough for about a hundred names.

@unmanaged
class Entry {
  constructor(
    public name: StringObject,
    public tensor: usize,
    public next: usize,
  ) {}
}

let first: usize = 0;

export function registerTensorCache(): void {
  registerNative('vm.builtin.tensor_cache.get', get);
  registerNative('vm.builtin.tensor_cache.update', update);
  registerNative('vm.builtin.tensor_cache.remove', remove);
  registerNative('vm.builtin.tensor_cache.clear', clear);
  registerNative('vm.builtin.param_module_from_cache', moduleByPrefix);
  registerNative('vm.builtin.param_module_from_cache_by_name', moduleByNames);
}

/** Looks up a parameter: (name) → tensor, or none */
function get(context: usize, args: Any, count: i32, result: Any): void {
  if (!requireArguments(count, 1)) return;
  const name = textAt(args, 0);
  const found = find(name);
  release(changetype<usize>(name));
  if (found == 0) return;
  retain(changetype<Entry>(found).tensor);
  result.setObject(TENSOR, changetype<Entry>(found).tensor);
}

/** Adds a parameter: (name, tensor, whether to replace an existing one) */
function update(context: usize, args: Any, count: i32, result: Any): void {
  if (!requireArguments(count, 3)) return;
  const tensor = tensorAt(args, 1);
  if (tensor == 0) return;
  const name = textAt(args, 0);
  const found = find(name);
  if (found != 0 && integerAt(args, 2) == 0) {
    raise('The tensor cache has an entry of this name already');
    release(changetype<usize>(name));
    return;
  }
  retain(tensor);
  if (found != 0) {
    const entry = changetype<Entry>(found);
    release(entry.tensor);
    entry.tensor = tensor;
    release(changetype<usize>(name));
    return;
  }
  first = changetype<usize>(new Entry(name, tensor, first));
}

/** Removes a parameter: (name) */
function remove(context: usize, args: Any, count: i32, result: Any): void {
  if (!requireArguments(count, 1)) return;
  const name = textAt(args, 0);
  const found = find(name);
  release(changetype<usize>(name));
  if (found == 0) return;
  const entry = changetype<Entry>(found);
  if (first == found) {
    first = entry.next;
  } else {
    let before = first;
    while (changetype<Entry>(before).next != found) before = changetype<Entry>(before).next;
    changetype<Entry>(before).next = entry.next;
  }
  freeEntry(entry);
}

function clear(context: usize, args: Any, count: i32, result: Any): void {
  while (first != 0) {
    const entry = changetype<Entry>(first);
    first = entry.next;
    freeEntry(entry);
  }
}

/** (array of names) → module whose function `get_params` returns the tensors in that order */
function moduleByNames(context: usize, args: Any, count: i32, result: Any): void {
  if (!requireArguments(count, 1)) return;
  const found = objectAt(args, 0, ARRAY);
  if (found == 0) return;
  const names = changetype<ArrayObject>(found);
  const tensors = makeArray(names.length);
  for (let i = 0; i < names.length; i++) {
    put(tensors, i, textAt(names.at(i), 0));
  }
  setModule(result, tensors);
}

/** (prefix, number) → module with the tensors `prefix_0`, `prefix_1`, … */
function moduleByPrefix(context: usize, args: Any, count: i32, result: Any): void {
  if (!requireArguments(count, 2)) return;
  const prefix = textAt(args, 0);
  const length = <i32>integerAt(args, 1);
  const tensors = makeArray(length);
  for (let i = 0; i < length; i++) {
    const suffix = makeLiteral(`_${i}`);
    const name = heap.alloc(prefix.length + suffix.length);
    memory.copy(name, prefix.data, prefix.length);
    memory.copy(name + prefix.length, suffix.data, suffix.length);
    put(tensors, i, makeString(name, prefix.length + suffix.length));
    heap.free(name);
    release(changetype<usize>(suffix));
  }
  release(changetype<usize>(prefix));
  setModule(result, tensors);
}

/** Stores the parameter of this name in the array, and releases the name. */
function put(tensors: ArrayObject, index: i32, name: StringObject): void {
  const found = find(name);
  if (found == 0) {
    raise(`The package lacks the parameter ${String.UTF8.decodeUnsafe(name.data, name.length)}`);
  } else {
    retain(changetype<Entry>(found).tensor);
    tensors.at(index).setObject(TENSOR, changetype<Entry>(found).tensor);
  }
  release(changetype<usize>(name));
}

function setModule(result: Any, tensors: ArrayObject): void {
  const module = makeModule(parameterFunction, changetype<usize>(tensors));
  result.setObject(MODULE, changetype<usize>(module));
}

function parameterFunction(module: usize, name: usize, length: u32): usize {
  if (!spells(name, length, 'get_params')) return 0;
  const tensors = changetype<ModuleObject>(module).context;
  retain(tensors);
  return changetype<usize>(makeNativeFunction(getParameters, tensors));
}

function getParameters(context: usize, args: Any, count: i32, result: Any): void {
  retain(context);
  result.setObject(ARRAY, context);
}

function find(name: StringObject): usize {
  for (let at = first; at != 0; at = changetype<Entry>(at).next) {
    const known = changetype<Entry>(at).name;
    if (known.length != name.length) continue;
    if (memory.compare(known.data, name.data, name.length) == 0) return at;
  }
  return 0;
}

function freeEntry(entry: Entry): void {
  release(changetype<usize>(entry.name));
  release(entry.tensor);
  heap.free(changetype<usize>(entry));
}
