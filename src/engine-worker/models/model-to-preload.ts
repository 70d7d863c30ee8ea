import type { ModelEntry } from '../../shared/models/model-entry.ts';

/**
 * Chooses what to load when a page asks for a model before its first request. Without WebGPU, the site's first GGUF
 * model replaces any chat model for WebGPU, including the built-in one, which is much smaller.
 * @param siteModels The models that the site provides.
 */
export function modelToPreload(wanted: ModelEntry, siteModels: readonly ModelEntry[], hasGpu: boolean): ModelEntry {
  if (hasGpu || wanted.format === 'gguf' || wanted.embedding) return wanted;
  return siteModels.find(({ format, embedding }) => format === 'gguf' && !embedding) ?? wanted;
}
