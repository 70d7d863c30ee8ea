import { FunctionObject, makeNativeFunction, NativeFunction } from './function-object';
import { release, retain } from './object';
import { makeLiteral, makeString, spells, StringObject } from './string-object';

/** One global function; a list is quick enough as names are looked up at start only. */
@unmanaged
class Entry {
  constructor(
    public name: StringObject,
    public called: FunctionObject,
    public next: usize,
  ) {}
}

let first: usize = 0;
let size: i32 = 0;

export function registerNative(name: string, native: NativeFunction): void {
  add(makeLiteral(name), makeNativeFunction(native));
}

/** Registers under a name that JavaScript gave; false when it is taken and may not be replaced. */
export function registerGlobal(name: usize, length: u32, called: FunctionObject, replace: bool): bool {
  retain(changetype<usize>(called));
  const taken = findEntry(name, length);
  if (taken == 0) {
    add(makeString(name, length), called);
    return true;
  }
  if (!replace) {
    release(changetype<usize>(called));
    return false;
  }
  const entry = changetype<Entry>(taken);
  release(changetype<usize>(entry.called));
  entry.called = called;
  return true;
}

/** The function with this name, borrowed, or 0. */
export function findGlobal(name: usize, length: u32): usize {
  const entry = findEntry(name, length);
  return entry == 0 ? 0 : changetype<usize>(changetype<Entry>(entry).called);
}

/** The function with this literal name, borrowed, or 0. */
export function findNamed(name: string): usize {
  for (let at = first; at != 0; at = changetype<Entry>(at).next) {
    const entry = changetype<Entry>(at);
    if (spells(entry.name.data, entry.name.length, name)) return changetype<usize>(entry.called);
  }
  return 0;
}

export function globalCount(): i32 {
  return size;
}

/** Name of the global with this number, borrowed. */
export function globalName(index: i32): StringObject {
  let at = first;
  for (let i = 0; i < index; i++) at = changetype<Entry>(at).next;
  return changetype<Entry>(at).name;
}

function add(name: StringObject, called: FunctionObject): void {
  first = changetype<usize>(new Entry(name, called, first));
  size++;
}

function findEntry(name: usize, length: u32): usize {
  for (let at = first; at != 0; at = changetype<Entry>(at).next) {
    const known = changetype<Entry>(at).name;
    if (known.length == length && memory.compare(known.data, name, length) == 0) return at;
  }
  return 0;
}
