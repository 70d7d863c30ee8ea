import { requestEndpoint } from './request-endpoint.ts';

/**
 * Computes the embedding of each text.
 * @throws ApiError as {@link requestEndpoint} does.
 */
export async function requestEmbeddings(
  model: string,
  input: readonly string[],
  signal: AbortSignal,
): Promise<readonly Float32Array<ArrayBuffer>[]> {
  const response = await requestEndpoint('embeddings', signal, { model, input });
  const { data } = (await response.json()) as { data: readonly { readonly embedding: readonly number[] }[] };
  return data.map(({ embedding }) => Float32Array.from(embedding));
}
