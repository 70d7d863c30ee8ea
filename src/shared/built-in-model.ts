import type { ModelEntry } from './model-entry.ts';

/** Id of the model that is part of this repository and needs no download from elsewhere. */
export const BUILT_IN_MODEL_ID = 'pocket';

/**
 * Entry of the built-in model.
 * @param base Address of the site's root with a trailing slash, such as `https://example.org/`.
 */
export function builtInModel(base: string): ModelEntry {
  return {
    id: BUILT_IN_MODEL_ID,
    created: 1_763_683_200,
    ownedBy: 'tabserve',
    contextWindow: 2048,
    vocabularySize: 2048,
    defaultTemperature: 0.3,
    defaultTopP: 0.95,
    images: false,
    thinking: null,
    modelUrl: new URL('models/pocket/', base).href,
    libraryUrl: new URL('models/pocket/pocket.wasm', base).href,
  };
}
