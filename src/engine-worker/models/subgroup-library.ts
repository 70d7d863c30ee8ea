import type { GraphicsDevice } from './device-fit.ts';

/** Lanes of a subgroup for which the libraries in the folder `sg32` are compiled. */
const LANES = 32;

/**
 * Returns the address of a library's variant that computes with subgroups, which is faster. WebLLM's catalogue names the other
 * one, in the folder `base` beside it. Source: mlc-ai/binary-mlc-llm-libs, pull request 163.
 * @returns null if the device cannot run it, or there is no such folder.
 */
export function subgroupLibrary(library: string, device: GraphicsDevice | null): string | null {
  if (device === null || !device.features.has('subgroups')) return null;
  const { subgroupSizes: sizes, maxComputeInvocationsPerWorkgroup: invocations } = device;
  const fits = sizes !== null && sizes.min <= LANES && sizes.max >= LANES && invocations >= 1024;
  const variant = library.replace(/\/base\/(?=[^/]+\.wasm$)/, '/sg32/');
  return fits && variant !== library ? variant : null;
}

/** Returns the address of the variant that every device runs, for a library that computes with subgroups; null for another. */
export function plainLibrary(library: string): string | null {
  const plain = library.replace(/\/sg32\/(?=[^/]+\.wasm$)/, '/base/');
  return plain === library ? null : plain;
}
