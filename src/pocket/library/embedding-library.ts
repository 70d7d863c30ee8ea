// Entry point of the WebAssembly library of an embedding model: registers the global TVM functions and exports the C
// functions.

import { prefill } from './encoder/forward';
import { spells } from './ffi/string-object';
import { registerContainerFunctions } from './runtime/container-functions';
import { registerSamplingFunctions } from './runtime/sampling-functions';
import { native, registerModules } from './runtime/module-functions';
import { registerStorageDecoder } from './runtime/storage-decoder';
import { registerTensorCache } from './runtime/tensor-cache';
import { registerTensorFunctions } from './runtime/tensor-functions';

registerContainerFunctions();
registerTensorFunctions();
registerTensorCache();
registerStorageDecoder();
registerModules(encoderFunction);
registerSamplingFunctions();

/** Looks up a model function by name. An embedding model has only `prefill`; returns 0 for any other name. */
function encoderFunction(name: usize, length: u32): usize {
  return spells(name, length, 'prefill') ? native(prefill) : 0;
}

export * from './ffi/exports';
