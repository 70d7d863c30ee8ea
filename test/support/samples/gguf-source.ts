import type { ModelSource } from '../../../src/shared/models/model-management.ts';

/** Where a GGUF model is downloaded from. @param changes Fields that differ. */
export function ggufSource(modelUrl: string, changes: Partial<ModelSource> = {}): ModelSource {
  return {
    id: modelUrl,
    format: 'gguf',
    modelUrl,
    libraryUrl: '',
    manifest: null,
    contextWindow: 4096,
    images: false,
    ...changes,
  };
}
