import { Any, anyAt } from './any';
import { raise } from './error';
import { cStringLength, makeString, StringObject } from './string-object';
import { BOOLEAN, FLOAT, INTEGER, RAW_STRING, SMALL_STRING, STRING, typeKey } from './type-index';

/** Whether the call has at least `wanted` arguments. If not, records an error; the caller must then return. */
export function requireArguments(count: i32, wanted: i32): bool {
  if (count >= wanted) return true;
  raise(`Expected ${wanted} arguments, got ${count}`);
  return false;
}

/**
 * Reads an argument as an integer. Floats are accepted, too, since WebLLM sends plain JavaScript numbers as floats.
 * Records an error and returns 0 for other types.
 */
export function integerAt(args: Any, index: i32): i64 {
  const value = anyAt(args, index);
  if (value.typeIndex == INTEGER || value.typeIndex == BOOLEAN) return value.integer;
  if (value.typeIndex == FLOAT) return <i64>value.float;
  raise(`Argument ${index} is not a number`);
  return 0;
}

/** Reads an argument as a float; accepts integers. Records an error and returns 0 for other types. */
export function numberAt(args: Any, index: i32): f64 {
  const value = anyAt(args, index);
  if (value.typeIndex == FLOAT) return value.float;
  return <f64>integerAt(args, index);
}

/** Returns a borrowed pointer to an object argument. Records an error and returns 0 if it has another type. */
export function objectAt(args: Any, index: i32, typeIndex: i32): usize {
  const value = anyAt(args, index);
  if (value.typeIndex == typeIndex && value.pointer != 0) return value.pointer;
  raise(`Argument ${index} is not of type ${typeKey(typeIndex)}`);
  return 0;
}

/**
 * Copies a string argument into a new string object, which the caller must release. Records an error and returns an
 * empty string for other types.
 */
export function textAt(args: Any, index: i32): StringObject {
  const value = anyAt(args, index);
  if (value.typeIndex == RAW_STRING) {
    return makeString(value.pointer, cStringLength(value.pointer));
  }
  if (value.typeIndex == SMALL_STRING) {
    return makeString(value.contentAddress, value.smallLength);
  }
  if (value.typeIndex == STRING) {
    const text = changetype<StringObject>(value.pointer);
    return makeString(text.data, text.length);
  }
  raise(`Argument ${index} is not a string`);
  return makeString(0, 0);
}
