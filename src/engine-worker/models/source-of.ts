import type { ModelEntry } from '../../shared/models/model-entry.ts';
import type { ModelSource } from '../../shared/models/model-management.ts';

/** Returns where the files of a usable model come from. */
export function sourceOf(entry: ModelEntry): ModelSource {
  const { id, format, gguf, modelUrl, libraryUrl, contextWindow, images, embedding, mmproj, chatTemplate } = entry;
  return {
    id,
    modelUrl,
    libraryUrl,
    manifest: null,
    contextWindow,
    images,
    ...(embedding && { embedding: true as const }),
    ...(gguf && { gguf }),
    ...(chatTemplate === false && { chatTemplate }),
    ...(mmproj !== undefined && { mmproj }),
    ...(format === 'gguf' && { format }),
  };
}

/** Whether the files of two models come from the same addresses. */
export function haveSameFiles(one: ModelSource, other: ModelSource): boolean {
  return one.modelUrl === other.modelUrl && one.libraryUrl === other.libraryUrl && one.mmproj === other.mmproj;
}
