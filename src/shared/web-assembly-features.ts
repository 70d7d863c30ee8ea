/** The smallest WebAssembly module with a 64-bit memory. */
const MEMORY64_MODULE = Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, 5, 3, 1, 4, 1);

/** The smallest WebAssembly module with a 128-bit instruction (`i8x16.popcnt`, of the SIMD proposal). */
const SIMD_MODULE = new Uint8Array([
  0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, 1, 5, 1, 0x60, 0, 1, 0x7b, 3, 2, 1, 0, 10, 10, 1, 8, 0, 0x41, 0, 0xfd, 15, 0xfd, 98,
  11,
]);

/**
 * Whether this browser's WebAssembly has 64-bit memories. llama.cpp's usual program needs them. Safari lacks them, so
 * there its program for 32-bit memories runs.
 */
export function has64BitMemory(): boolean {
  return isValid(MEMORY64_MODULE);
}

/** Whether this browser's WebAssembly has 128-bit instructions, without which neither program of llama.cpp runs. */
export function hasSimd(): boolean {
  return isValid(SIMD_MODULE);
}

/** Returns whether a module is valid. Some browsers have no WebAssembly, such as Safari in Lockdown Mode. */
function isValid(module: Uint8Array<ArrayBuffer>): boolean {
  return typeof WebAssembly !== 'undefined' && WebAssembly.validate(module);
}
