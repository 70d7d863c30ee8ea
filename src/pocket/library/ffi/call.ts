import { Any, anyAt } from './any';
import { raise } from './error';
import { callFunction, FunctionObject } from './function-object';
import { StringObject } from './string-object';
import { FLOAT, FUNCTION, INTEGER, STRING } from './type-index';

// The one call into JavaScript that is being prepared. JavaScript never calls a function of this
// library back from the functions called this way, so one frame is enough.

const MOST_ARGUMENTS: i32 = 20;
const slots = changetype<Any>(memory.data(16 * 20, 8));
const outcome = changetype<Any>(memory.data(16, 8));
let count: i32 = 0;

export function beginCall(): void {
  count = 0;
}

export function pushInteger(value: i64): void {
  next().setInteger(value);
}

/** Lends a string for the length of the call. */
export function pushString(text: StringObject): void {
  next().setObject(STRING, changetype<usize>(text));
}

/** Calls and returns the number that came back, or 0. */
export function callForNumber(called: FunctionObject): i32 {
  call(called);
  if (outcome.typeIndex == FLOAT) return <i32>outcome.float;
  if (outcome.typeIndex == INTEGER) return <i32>outcome.integer;
  return 0;
}

/** Calls and returns the function that came back; the caller owns it. 0 after an error. */
export function callForFunction(called: FunctionObject): usize {
  call(called);
  if (outcome.typeIndex == FUNCTION) return outcome.pointer;
  raise('Expected JavaScript to return a function');
  return 0;
}

function next(): Any {
  assert(count < MOST_ARGUMENTS);
  return anyAt(slots, count++);
}

function call(called: FunctionObject): void {
  outcome.setNone();
  callFunction(called, slots, count, outcome);
}
