import type { ModelEntry } from '../../shared/models/model-entry.ts';

/**
 * Chooses what to load when a page asks for a model before its first request. Without WebGPU this is the site's first
 * GGUF chat model rather than a model for WebGPU. That applies to the built-in model, too: the CPU could run it, but
 * the site's model is larger.
 * @param siteModels The models that the site provides.
 */
export function modelToPreload(wanted: ModelEntry, siteModels: readonly ModelEntry[], hasGpu: boolean): ModelEntry {
  if (hasGpu || wanted.format === 'gguf' || wanted.embedding) return wanted;
  return siteModels.find(({ format, embedding }) => format === 'gguf' && !embedding) ?? wanted;
}
