import { errorBody } from '../../shared/api-error.ts';
import { respondWithCompletion } from '../completion/completion-response.ts';
import type { CompletionEncoder } from '../encoders/completion-encoder.ts';
import type { Exchange } from '../http/exchange.ts';
import { readJsonBody } from '../http/read-json-body.ts';
import { EMBEDDING_FIELDS, toEmbeddingRequest } from '../request/embedding-fields.ts';
import { readFields } from '../request/read-fields.ts';

/** Handles `POST /embeddings`. For the engine this is a completion whose deltas are vectors. */
export async function createEmbeddings(exchange: Exchange): Promise<Response> {
  const { value, text } = await readJsonBody(exchange);
  const fields = readFields(EMBEDDING_FIELDS, value);
  const model = await exchange.models.find(fields.model, true);
  exchange.observer?.modelNamed(model.id);
  const completion = toEmbeddingRequest(fields, model);
  const createEncoder = () => createEmbeddingsEncoder(model.id, fields.encoding_format === 'base64');
  return respondWithCompletion(exchange, { completion, text, stream: null, stored: null, createEncoder });
}

/** Encodes the vectors as one JSON document. */
function createEmbeddingsEncoder(model: string, inBase64: boolean): CompletionEncoder {
  const data: object[] = [];
  return {
    contentType: 'application/json',
    cacheControl: 'no-store',
    isBuffered: true,

    encode(event) {
      if (event.type === 'delta' && event.embedding !== undefined) {
        const embedding = inBase64 ? base64(event.embedding) : Array.from(event.embedding);
        data[event.choice] = { object: 'embedding', index: event.choice, embedding };
      }
      if (event.type !== 'done') return '';
      const { promptTokens } = event.usage;
      return JSON.stringify({
        object: 'list',
        data,
        model,
        usage: { prompt_tokens: promptTokens, total_tokens: promptTokens },
      });
    },

    keepAlive: () => '\n',
    encodeError: (error) => JSON.stringify(errorBody(error)),
  };
}

/**
 * Encodes 32-bit floats as Base64. No conversion is needed: all devices that run browsers are little-endian, as
 * clients expect.
 */
function base64({ buffer, byteOffset, byteLength }: Float32Array): string {
  return btoa(String.fromCharCode(...new Uint8Array(buffer, byteOffset, byteLength)));
}
