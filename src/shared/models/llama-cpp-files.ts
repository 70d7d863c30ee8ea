/** Name of the cache for llama.cpp's files. The engine fills the cache when a model needs llama.cpp. */
export const LLAMA_CPP_CACHE = 'tabserve/llama-cpp';

export const LLAMA_CPP_FILES = ['wllama.js', 'wllama.wasm', 'worker.js', 'thread.js'] as const;
