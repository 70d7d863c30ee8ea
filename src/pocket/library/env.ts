// The functions that WebLLM offers to the module as imports of `env`. AssemblyScript takes the name of this file as the
// name of the imported module.

/** Calls the JavaScript function in this row of the page's table; 0 for success. */
export declare function TVMFFIWasmSafeCall(resource: i32, args: usize, count: i32, result: usize): i32;

/** Frees that row. */
export declare function TVMFFIWasmFunctionDeleter(resource: i32): void;
