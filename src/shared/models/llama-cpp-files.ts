/** The cache of the files that run llama.cpp. The engine fills it when a model needs them. */
export const LLAMA_CPP_CACHE = 'tabserve/llama-cpp';

/** The files that run llama.cpp: the package wllama, its WebAssembly, and the scripts of its workers. */
export const LLAMA_CPP_FILES = ['wllama.js', 'wllama.wasm', 'worker.js', 'thread.js'] as const;
