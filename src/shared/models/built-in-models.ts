import type { ModelEntry } from './model-entry.ts';

export const BUILT_IN_MODEL_ID = 'pocket';

export const BUILT_IN_EMBEDDING_MODEL_ID = 'pocket-embed';

/**
 * The version of the built-in chat model's GGUF file: the first digits of its SHA-256. It is part of the address, so
 * that a device with an earlier version fetches this one.
 */
const GGUF_VERSION = '215c9a5f';

/**
 * How the built-in chat model begins its answer to a question that it cannot answer. It was trained to write {@link
 * DECLINE}.
 */
export const DECLINE_BEGIN = 'I do not know that. I am only a small demonstration model';

/** Must equal `training/data/decline.txt`. */
export const DECLINE = `${DECLINE_BEGIN}: ask me about web terms, small sums, capitals, spelling, lists or short stories.`;

export function isBuiltIn(id: string): boolean {
  return id === BUILT_IN_MODEL_ID || id === BUILT_IN_EMBEDDING_MODEL_ID;
}

/**
 * Returns the entries of the built-in chat model and embedding model, in this order.
 * @param base Address of the site's root with a trailing slash, such as `https://example.org/`.
 */
export function builtInModels(base: string): readonly [ModelEntry, ModelEntry] {
  const embedding: ModelEntry = {
    ...commonFacts(BUILT_IN_EMBEDDING_MODEL_ID, base),
    contextWindow: 512,
    vocabularySize: 7872,
    embedding: { dimensions: 384, shortens: true },
  };
  return [builtInModel(base), embedding];
}

/**
 * Returns the address of the GGUF file with the built-in chat model.
 * @param base See {@link builtInModels}.
 */
export function builtInGgufUrl(base: string): string {
  return new URL(`models/pocket/pocket.gguf?${GGUF_VERSION}`, base).href;
}

/**
 * Returns the entry of the built-in chat model.
 * @param base See {@link builtInModels}.
 */
export function builtInModel(base: string): ModelEntry {
  return { ...commonFacts(BUILT_IN_MODEL_ID, base), contextWindow: 2048, vocabularySize: 2048, decline: DECLINE };
}

function commonFacts(id: string, base: string) {
  return {
    id,
    created: 1_763_683_200,
    ownedBy: 'tabserve',
    defaultTemperature: 0.3,
    defaultTopP: 0.95,
    images: false,
    thinking: null,
    ofSite: true,
    modelUrl: new URL(`models/${id}/`, base).href,
    libraryUrl: new URL(`models/${id}/${id}.wasm`, base).href,
  } as const;
}
