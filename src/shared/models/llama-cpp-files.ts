/** Name of the cache for llama.cpp's files. The engine fills the cache when a model needs llama.cpp. */
export const LLAMA_CPP_CACHE = 'tabserve/llama-cpp';

/** Subfolder of llama.cpp's program for browsers whose WebAssembly has no 64-bit memories. */
export const COMPAT_FOLDER = 'compat/';

/** Addresses of the files that run llama.cpp. */
export interface LlamaCppFiles {
  /** The package `@wllama/wllama`. */
  readonly wllama: string;
  /** The program. */
  readonly wasm: string;
  /** Script of the worker that runs the program. */
  readonly worker: string;
  /** Script of the program's further threads. */
  readonly thread: string;
}

/**
 * Returns the addresses of the files that a browser needs.
 * @param folder Address of the folder of llama.cpp's files, with a trailing slash.
 * @param isCompat Whether the program for 32-bit memories is needed.
 */
export function llamaCppFiles(folder: string, isCompat: boolean): LlamaCppFiles {
  const program = isCompat ? folder + COMPAT_FOLDER : folder;
  return {
    wllama: `${folder}wllama.js`,
    wasm: `${program}wllama.wasm`,
    worker: `${program}worker.js`,
    thread: `${program}thread.js`,
  };
}
