import { ApiError, errorBody } from '../../shared/api-error.ts';
import { REQUEST_DEFAULTS } from '../../shared/engine/request-defaults.ts';
import type { ModelEntry } from '../../shared/models/model-entry.ts';
import { respondWithCompletion } from '../completion/completion-response.ts';
import type { CompletionEncoder } from '../encoders/completion-encoder.ts';
import { randomId, type Exchange } from '../http/exchange.ts';
import { readJsonBody } from '../http/read-json-body.ts';
import { readFields } from '../request/read-fields.ts';
import { RERANK_FIELDS, type RerankFields } from '../request/rerank-fields.ts';
import { refuseInvalidPrompt } from '../request/to-text-completion-request.ts';

/**
 * Handles `POST /rerank`: sorts documents by the relevance to a query that a reranking model computes, or by the
 * similarity of their embeddings to that of the query.
 */
export async function rerank(exchange: Exchange): Promise<Response> {
  const { value, text } = await readJsonBody(exchange, false);
  const fields = readFields(RERANK_FIELDS, value);
  const model = await findEmbeddingModel(exchange, fields.model);
  exchange.observer?.modelNamed(model.id);
  const { query, documents } = fields;
  refuseInvalidPrompt(query, 'query', model);
  documents.forEach((document, index) => refuseInvalidPrompt(document, `documents[${index}]`, model));
  const embed = { inputs: [query, ...documents], dimensions: null };
  const completion = { ...REQUEST_DEFAULTS, model: model.id, messages: [], embed };
  const createEncoder = () => createRankingEncoder(fields, model);
  return respondWithCompletion(exchange, { completion, text, stream: null, stored: null, createEncoder });
}

/** Finds the model of a request. Without a name, the first embedding or reranking model is used. */
async function findEmbeddingModel({ models }: Exchange, name: string | null): Promise<ModelEntry> {
  if (name !== null) return models.find(name, true);
  const first = (await models.list()).find(({ embedding }) => embedding !== undefined);
  if (first !== undefined) return first;
  throw new ApiError('model_not_found', 'This key may use no model that computes embeddings.', { param: 'model' });
}

/** Encodes the ranking as one JSON document, in the shape that Jina, Cohere, llama-server and vLLM share. */
function createRankingEncoder(
  { documents, top_n, return_documents }: RerankFields,
  { id, embedding }: ModelEntry,
): CompletionEncoder {
  const vectors: Float32Array[] = [];
  return {
    contentType: 'application/json',
    cacheControl: 'no-store',
    isBuffered: true,

    encode(event) {
      if (event.type === 'delta' && event.embedding !== undefined) vectors[event.choice] = event.embedding;
      if (event.type !== 'done') return '';
      const [query = new Float32Array(), ...others] = vectors;
      const results = others
        .map((vector, index) => ({
          index,
          relevance_score: embedding?.ranks ? vector[0] : similarity(query, vector),
          ...(return_documents && { document: { text: documents[index] } }),
        }))
        .toSorted((one, other) => other.relevance_score! - one.relevance_score!)
        .slice(0, top_n ?? documents.length);
      const { promptTokens } = event.usage;
      const usage = { prompt_tokens: promptTokens, total_tokens: promptTokens };
      return JSON.stringify({ id: `rerank-${randomId()}`, object: 'list', model: id, results, usage });
    },

    keepAlive: () => '\n',
    encodeError: (error) => JSON.stringify(errorBody(error)),
  };
}

/** The cosine similarity of two vectors of Euclidean length 1. */
function similarity(one: Float32Array, other: Float32Array): number {
  return one.reduce((sum, value, index) => sum + value * other[index]!, 0);
}
