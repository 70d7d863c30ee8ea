import { errorBody } from '../../shared/api-error.ts';
import { answerCompletion } from '../completion/completion-response.ts';
import type { CompletionEncoder } from '../encoders/completion-encoder.ts';
import type { Exchange } from '../http/exchange.ts';
import { readJsonBody } from '../http/read-json-body.ts';
import { EMBEDDING_FIELDS, toEmbeddingRequest } from '../request/embedding-fields.ts';
import { readFields } from '../request/read-fields.ts';

/** `POST /embeddings`: a vector of each input. It waits, is cancelled and fails as a completion does. */
export async function createEmbeddings(exchange: Exchange): Promise<Response> {
  const { value, text } = await readJsonBody(exchange);
  const fields = readFields(EMBEDDING_FIELDS, value);
  const model = await exchange.models.find(fields.model, true);
  exchange.observer?.modelNamed(model.id);
  const completion = toEmbeddingRequest(fields, model);
  const createEncoder = () => createEmbeddingsEncoder(model.id, fields.encoding_format === 'base64');
  return answerCompletion(exchange, { completion, text, stream: null, stored: null, createEncoder });
}

/** The vectors as one JSON document, written when all of them are known. */
function createEmbeddingsEncoder(model: string, inBase64: boolean): CompletionEncoder {
  const data: object[] = [];
  return {
    contentType: 'application/json',
    cacheControl: 'no-store',
    sentWhole: true,

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
    fail: (error) => JSON.stringify(errorBody(error)),
  };
}

/** The bytes of the numbers as 32-bit floats, the lowest first, as in the memory of every device that has a browser. */
function base64({ buffer, byteOffset, byteLength }: Float32Array): string {
  return btoa(String.fromCharCode(...new Uint8Array(buffer, byteOffset, byteLength)));
}
