import { Any, anyAt, copyOwned } from '../ffi/any';
import { integerAt, objectAt, requireArguments } from '../ffi/arguments';
import { ArrayObject, makeArray, makeArrayOf } from '../ffi/array-object';
import { raise } from '../ffi/error';
import { makeNativeFunction } from '../ffi/function-object';
import { retain } from '../ffi/object';
import { globalCount, globalName, registerNative } from '../ffi/registry';
import { makeShape } from '../ffi/shape-object';
import { ARRAY, FUNCTION, SHAPE, STRING } from '../ffi/type-index';

export function registerContainerFunctions(): void {
  registerNative('ffi.Shape', shape);
  registerNative('ffi.Array', array);
  registerNative('ffi.ArrayGetItem', arrayItem);
  registerNative('ffi.ArraySize', arraySize);
  registerNative('tvmjs.runtime.ArrayConcat', arrayConcatenate);
  registerNative('ffi.FunctionListGlobalNamesFunctor', listGlobalNames);
}

/** Makes a shape: (integers…) → shape */
function shape(context: usize, args: Any, count: i32, result: Any): void {
  const made = makeShape(count);
  for (let i = 0; i < count; i++) made.set(i, integerAt(args, i));
  result.setObject(SHAPE, changetype<usize>(made));
}

/** Makes an array: (values…) → array */
function array(context: usize, args: Any, count: i32, result: Any): void {
  result.setObject(ARRAY, changetype<usize>(makeArrayOf(args, count)));
}

/** Reads an item of an array: (array, index) → item */
function arrayItem(context: usize, args: Any, count: i32, result: Any): void {
  if (!requireArguments(count, 2)) return;
  const found = objectAt(args, 0, ARRAY);
  if (found == 0) return;
  const items = changetype<ArrayObject>(found);
  const index = <i32>integerAt(args, 1);
  if (index < 0 || index >= items.length) {
    raise(`Array of ${items.length} has no item ${index}`);
    return;
  }
  copyOwned(items.at(index), result);
}

/** (array) → number of items */
function arraySize(context: usize, args: Any, count: i32, result: Any): void {
  if (!requireArguments(count, 1)) return;
  const found = objectAt(args, 0, ARRAY);
  if (found != 0) result.setInteger(changetype<ArrayObject>(found).length);
}

/** Concatenates arrays: (arrays…) → array */
function arrayConcatenate(context: usize, args: Any, count: i32, result: Any): void {
  let length = 0;
  for (let i = 0; i < count; i++) {
    const part = objectAt(args, i, ARRAY);
    if (part == 0) return;
    length += changetype<ArrayObject>(part).length;
  }
  const whole = makeArray(length);
  let filled = 0;
  for (let i = 0; i < count; i++) {
    const part = changetype<ArrayObject>(anyAt(args, i).pointer);
    for (let j = 0; j < part.length; j++) copyOwned(part.at(j), whole.at(filled++));
  }
  result.setObject(ARRAY, changetype<usize>(whole));
}

/** () → function. That function returns the number of global functions for -1, and the name of function i for i. */
function listGlobalNames(context: usize, args: Any, count: i32, result: Any): void {
  result.setObject(FUNCTION, changetype<usize>(makeNativeFunction(nameOfGlobal)));
}

function nameOfGlobal(context: usize, args: Any, count: i32, result: Any): void {
  if (!requireArguments(count, 1)) return;
  const index = <i32>integerAt(args, 0);
  if (index < 0) {
    result.setInteger(globalCount());
    return;
  }
  if (index >= globalCount()) {
    raise(`There is no global function ${index}`);
    return;
  }
  const name = changetype<usize>(globalName(index));
  retain(name);
  result.setObject(STRING, name);
}
