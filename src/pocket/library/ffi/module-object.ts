import { allocateObject, ObjectHeader, release } from './object';
import { MODULE } from './type-index';

/** Finds a module's function by name: 0, or a `FunctionObject` that the caller owns. */
export type Lookup = (module: usize, name: usize, length: u32) => usize;

/** A named set of functions; what WebLLM calls system library, executable and parameter module. */
@unmanaged
export class ModuleObject extends ObjectHeader {
  lookup: usize;
  /** Object the functions work on, kept alive, or 0. */
  context: usize;
}

/** Takes over the caller's reference to `context`. */
export function makeModule(lookup: Lookup, context: usize = 0): ModuleObject {
  const size = offsetof<ModuleObject>();
  const module = changetype<ModuleObject>(allocateObject(size, MODULE, destroyModule));
  module.lookup = changetype<usize>(lookup);
  module.context = context;
  return module;
}

function destroyModule(object: usize): void {
  release(changetype<ModuleObject>(object).context);
  heap.free(object);
}
