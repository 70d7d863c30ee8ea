import type { EmbeddingFacts } from '../../../shared/models/model-facts.ts';
import type { GgufHeader } from '../package/read-gguf-header.ts';

/** Returns the facts about an embedding or reranking model; undefined for a model that generates text. */
export function embeddingFacts({ pooling, dimensions }: GgufHeader): EmbeddingFacts | undefined {
  if (pooling === 'rank') return { dimensions: 1, ranks: true };
  return pooling === null ? undefined : { dimensions: dimensions ?? 0 };
}
