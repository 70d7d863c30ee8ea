import type { ModelEntry } from '../../shared/models/model-entry.ts';

/**
 * Chooses what to load when a page asks for a model ahead of its first request. Without WebGPU, the first GGUF model of the
 * site takes the place of any chat model made for WebGPU, the built-in one included: the site has chosen it, and it knows more.
 * @param siteModels The models that the site provides.
 */
export function modelToPreload(wanted: ModelEntry, siteModels: readonly ModelEntry[], hasGpu: boolean): ModelEntry {
  if (hasGpu || wanted.format === 'gguf' || wanted.embedding) return wanted;
  return siteModels.find(({ format, embedding }) => format === 'gguf' && !embedding) ?? wanted;
}
