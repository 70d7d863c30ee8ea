import type { Wllama, WllamaConfig, WllamaLogger } from '@wllama/wllama';
import type { LlamaCppFiles } from './llama-cpp-files.ts';

/** The used part of the package `@wllama/wllama`. */
export interface WllamaModule {
  readonly Wllama: typeof Wllama;
}

/**
 * wllama's own store of downloaded models, which is not used: models are given to it as files. Its constructor would
 * fail in browsers without a private file system, such as WebKitGTK.
 */
const NO_CACHE = {} as NonNullable<WllamaConfig['cacheManager']>;

/**
 * Creates an instance of wllama that loads nothing from another server.
 * @param files Addresses of llama.cpp's files.
 * @param isCompat Whether the program for 32-bit memories runs.
 * @param logger Gets wllama's and llama.cpp's messages.
 */
export function createWllama(
  { Wllama }: WllamaModule,
  { wasm }: LlamaCppFiles,
  isCompat: boolean,
  logger: WllamaLogger,
): Wllama {
  const wllama = new Wllama({ default: wasm }, { logger, cacheManager: NO_CACHE });
  // By default wllama loads the program for 32-bit memories from another server. Its code is not needed here, because
  // the worker that this site starts has it. `firefox_safari` means that the browser's name does not matter.
  wllama.setCompat(isCompat ? { wasm, worker: { code: ';' } } : null, 'firefox_safari');
  return wllama;
}
