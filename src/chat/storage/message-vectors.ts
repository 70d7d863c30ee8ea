import type { EmbeddingWeights, MessageVectors } from '../types/conversation.ts';

/** Minimum cosine similarity of two sample embeddings of the same weights: devices round differently. */
const SAME_SAMPLE = 0.999;

/** Whether these weights computed the embeddings: a site update can replace the weights under the same name. */
export function areOf(
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
