import type { EmbeddingFacts } from '../../../shared/models/model-entry.ts';
import type { GgufHeader } from './read-gguf-header.ts';

/** Returns what a model computes instead of writing; undefined for a model that writes. */
export function embeddingFacts({ pooling, dimensions }: GgufHeader): EmbeddingFacts | undefined {
  if (pooling === 'rank') return { dimensions: 1, ranks: true };
  return pooling === null ? undefined : { dimensions: dimensions ?? 0 };
}
