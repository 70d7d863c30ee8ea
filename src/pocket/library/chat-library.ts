// Entry point of the WebAssembly library of a chat model: registers the global TVM functions and exports the C
// functions.

import { registerCacheFunctions } from './model/cache-functions';
import { registerCheckpointFunctions } from './model/cache-checkpoint';
import { chatFunction } from './model/executable';
import { registerContainerFunctions } from './runtime/container-functions';
import { registerSamplingFunctions } from './runtime/sampling-functions';
import { registerModules } from './runtime/module-functions';
import { registerStorageDecoder } from './runtime/storage-decoder';
import { registerTensorCache } from './runtime/tensor-cache';
import { registerTensorFunctions } from './runtime/tensor-functions';

registerContainerFunctions();
registerTensorFunctions();
registerTensorCache();
registerStorageDecoder();
registerModules(chatFunction);
registerCacheFunctions();
registerCheckpointFunctions();
registerSamplingFunctions();

export * from './ffi/exports';
