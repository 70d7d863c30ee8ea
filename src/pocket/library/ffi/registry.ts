import { FunctionObject, makeNativeFunction, NativeFunction } from './function-object';
import { release, retain } from './object';
import { makeLiteral, makeString, spells, StringObject } from './string-object';

/** An entry of the linked list of global functions. A list is fast enough: no name is looked up for each token. */
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

/** Registers a global function. Returns false if the name is taken and `replace` is false. */
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

/** Looks up a global function by name. Returns a borrowed pointer, or 0 if there is none. */
export function findGlobal(name: usize, length: u32): usize {
  const entry = findEntry(name, length);
  return entry == 0 ? 0 : changetype<usize>(changetype<Entry>(entry).called);
}

/** Looks up a global function by a literal name. Returns a borrowed pointer, or 0 if there is none. */
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

/** Returns the name of the global function with this index, borrowed. */
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
