// Entry of the library of an embedding model: fills the table of global functions and exports the C functions.

import { encoderFunction } from './encoder/forward';
import { registerContainerFunctions } from './runtime/container-functions';
import { registerCpuSampling } from './runtime/cpu-sampling';
import { registerModules } from './runtime/module-functions';
import { registerStorageDecoder } from './runtime/storage-decoder';
import { registerTensorCache } from './runtime/tensor-cache';
import { registerTensorFunctions } from './runtime/tensor-functions';

registerContainerFunctions();
registerTensorFunctions();
registerTensorCache();
registerStorageDecoder();
registerModules(encoderFunction);
registerCpuSampling();

export * from './ffi/exports';
