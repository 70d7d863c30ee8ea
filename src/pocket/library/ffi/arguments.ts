import { Any, anyAt } from './any';
import { raise } from './error';
import { cStringLength, makeString, StringObject } from './string-object';
import { BOOLEAN, FLOAT, INTEGER, RAW_STRING, SMALL_STRING, STRING, typeKey } from './type-index';

/** Raises unless a call brought at least this many arguments. */
export function requireArguments(count: i32, wanted: i32): bool {
  if (count >= wanted) return true;
  raise(`Expected ${wanted} arguments, got ${count}`);
  return false;
}

/** JavaScript sends plain numbers as floats and only typed scalars as integers; both are fine. */
export function integerAt(args: Any, index: i32): i64 {
  const value = anyAt(args, index);
  if (value.typeIndex == INTEGER || value.typeIndex == BOOLEAN) return value.integer;
  if (value.typeIndex == FLOAT) return <i64>value.float;
  raise(`Argument ${index} is not a number`);
  return 0;
}

export function numberAt(args: Any, index: i32): f64 {
  const value = anyAt(args, index);
  if (value.typeIndex == FLOAT) return value.float;
  return <f64>integerAt(args, index);
}

/** The object of this type, borrowed; 0 after raising when the argument is something else. */
export function objectAt(args: Any, index: i32, typeIndex: i32): usize {
  const value = anyAt(args, index);
  if (value.typeIndex == typeIndex && value.pointer != 0) return value.pointer;
  raise(`Argument ${index} is not of type ${typeKey(typeIndex)}`);
  return 0;
}

/** The text of an argument as a string object that the caller releases. */
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
