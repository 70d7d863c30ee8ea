import { Any, anyAt } from './any';
import { raise } from './error';
import { callFunction, FunctionObject } from './function-object';
import { StringObject } from './string-object';
import { FLOAT, FUNCTION, INTEGER, STRING } from './type-index';

// Arguments of the next call into JavaScript. The JavaScript functions called this way never call back into this
// library, so calls do not nest and one argument buffer is enough.

const MAX_ARGUMENTS: i32 = 20;
const slots = changetype<Any>(memory.data(16 * 20, 8));
const outcome = changetype<Any>(memory.data(16, 8));
let count: i32 = 0;

export function beginCall(): void {
  count = 0;
}

export function pushInteger(value: i64): void {
  next().setInteger(value);
}

/** Adds a string argument. The callee borrows it; the caller must keep it alive until the call returns. */
export function pushString(text: StringObject): void {
  next().setObject(STRING, changetype<usize>(text));
}

/** Calls the function with the pushed arguments. Returns its result if that is a number, otherwise 0. */
export function callForNumber(called: FunctionObject): i32 {
  call(called);
  if (outcome.typeIndex == FLOAT) return <i32>outcome.float;
  if (outcome.typeIndex == INTEGER) return <i32>outcome.integer;
  return 0;
}

/**
 * Calls the function with the pushed arguments. Returns the function object that it returned, which the caller owns.
 * Records an error and returns 0 if the result is not a function.
 */
export function callForFunction(called: FunctionObject): usize {
  call(called);
  if (outcome.typeIndex == FUNCTION) return outcome.pointer;
  raise('Expected JavaScript to return a function');
  return 0;
}

function next(): Any {
  assert(count < MAX_ARGUMENTS);
  return anyAt(slots, count++);
}

function call(called: FunctionObject): void {
  outcome.setNone();
  callFunction(called, slots, count, outcome);
}
