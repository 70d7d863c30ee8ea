import type { GraphicsDevice } from './device-fit.ts';

/** Number of lanes in a subgroup for which the libraries in the folder `sg32` are compiled. */
const LANES = 32;

/**
 * Returns the address of the library variant that uses subgroups, which is faster. WebLLM's catalogue lists the variant
 * without subgroups, in the folder `base` beside it. Source: mlc-ai/binary-mlc-llm-libs, pull request 163.
 * @returns null if the device cannot run it, or if the address has no folder `base`.
 */
export function subgroupLibrary(library: string, device: GraphicsDevice | null): string | null {
  if (device === null || !device.features.has('subgroups')) return null;
  const { subgroupSizes: sizes, maxComputeInvocationsPerWorkgroup: invocations } = device;
  const fits = sizes !== null && sizes.min <= LANES && sizes.max >= LANES && invocations >= 1024;
  const variant = library.replace(/\/base\/(?=[^/]+\.wasm$)/, '/sg32/');
  return fits && variant !== library ? variant : null;
}

/**
 * Returns the address of the variant that runs on every device, for a library that uses subgroups; null for another
 * library.
 */
export function plainLibrary(library: string): string | null {
  const plain = library.replace(/\/sg32\/(?=[^/]+\.wasm$)/, '/base/');
  return plain === library ? null : plain;
}
