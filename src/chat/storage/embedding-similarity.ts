import type { EmbeddingWeights, MessageVectors } from '../types/conversation.ts';

/**
 * If the embeddings of the sample text have at least this cosine similarity, they come from the same weights. They are
 * not equal, because devices round differently.
 */
const SAME_SAMPLE = 0.999;

/**
 * Whether the embeddings were computed with these weights. An update of the site can replace the weights of a model
 * without changing its id.
 */
export function areComputedWith(
  vectors: MessageVectors | undefined,
  { model, sample }: EmbeddingWeights,
): vectors is MessageVectors {
  return vectors?.model === model && vectors.sample !== undefined && cosine(vectors.sample, sample) > SAME_SAMPLE;
}

function cosine(one: Float32Array, other: Float32Array): number {
  return one.length === other.length ? dot(one, other) / Math.sqrt(dot(one, one) * dot(other, other)) : 0;
}

/**
 * The cosine similarity of unit vectors, as the endpoint returns them: 1 for the same meaning, 0 for unrelated texts.
 */
export function dot(one: Float32Array, other: Float32Array): number {
  return one.reduce((sum, value, index) => sum + value * other[index]!, 0);
}
