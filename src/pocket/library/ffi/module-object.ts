import { allocateObject, ObjectHeader, release } from './object';
import { MODULE } from './type-index';

/** Looks up a module's function by name. Returns a `FunctionObject` that the caller owns, or 0 if there is none. */
export type Lookup = (module: usize, name: usize, length: u32) => usize;

/**
 * A TVM module: a set of named functions. WebLLM's system library, executable and parameter module are such objects.
 */
@unmanaged
export class ModuleObject extends ObjectHeader {
  lookup: usize;
  /** Object that the module's functions operate on and that the module keeps alive, or 0. */
  context: usize;
}

/** Makes a module. Takes over the caller's reference to `context`. */
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
