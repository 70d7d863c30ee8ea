// Entry of the model library: fills the table of global functions and exports the C functions.

import { registerCacheFunctions } from './model/cache-functions';
import { registerCheckpointFunctions } from './model/cache-checkpoint';
import { registerModules } from './model/executable';
import { registerContainerFunctions } from './runtime/container-functions';
import { registerCpuSampling } from './runtime/cpu-sampling';
import { registerStorageDecoder } from './runtime/storage-decoder';
import { registerTensorCache } from './runtime/tensor-cache';
import { registerTensorFunctions } from './runtime/tensor-functions';

registerContainerFunctions();
registerTensorFunctions();
registerTensorCache();
registerStorageDecoder();
registerModules();
registerCacheFunctions();
registerCheckpointFunctions();
registerCpuSampling();

export {
  TVMFFIAnyViewToOwnedAny,
  TVMFFIDataTypeToString,
  TVMFFIErrorSetRaisedFromCStr,
  TVMFFIFunctionCall,
  TVMFFIFunctionGetGlobal,
  TVMFFIFunctionSetGlobal,
  TVMFFIGetTypeInfo,
  TVMFFIObjectDecRef,
  TVMFFIObjectIncRef,
  TVMFFITypeKeyToIndex,
  TVMFFIWasmFunctionCreate,
  TVMFFIWasmGetLastError,
  TVMWasmAllocSpace,
  TVMWasmFreeSpace,
} from './ffi/exports';
