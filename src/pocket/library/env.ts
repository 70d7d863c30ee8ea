// The functions that WebLLM offers to the module as imports of `env`. AssemblyScript takes the name of this file as the
// name of the imported module.

/** Calls the JavaScript function with index `resource` in WebLLM's function table. Returns 0 on success. */
export declare function TVMFFIWasmSafeCall(resource: i32, args: usize, count: i32, result: usize): i32;

/** Frees the entry with index `resource` in WebLLM's function table. */
export declare function TVMFFIWasmFunctionDeleter(resource: i32): void;
