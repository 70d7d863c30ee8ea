import type { EmbeddingWeights, MessageVectors } from '../types/conversation.ts';

/** The least cosine of the angle between two samples of the same weights, which one device may compute a little otherwise. */
const SAME_SAMPLE = 0.999;

/** Whether vectors were computed by these weights: an update of the site can bring other ones under the same name. */
export function areOf(
  vectors: MessageVectors | undefined,
  { model, sample }: EmbeddingWeights,
): vectors is MessageVectors {
  return vectors?.model === model && vectors.sample !== undefined && cosine(vectors.sample, sample) > SAME_SAMPLE;
}

function cosine(one: Float32Array, other: Float32Array): number {
  return one.length === other.length ? dot(one, other) / Math.sqrt(dot(one, one) * dot(other, other)) : 0;
}

/** For vectors of length 1, as the endpoint gives them, how close their texts are: 1 for the same meaning, 0 for none in common. */
export function dot(one: Float32Array, other: Float32Array): number {
  return one.reduce((sum, value, index) => sum + value * other[index]!, 0);
}
