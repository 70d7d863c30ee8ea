import { ApiError } from '../../shared/api-error.ts';
import type { ModelEntry } from '../../shared/models/model-entry.ts';
import { embeddingFacts } from '../models/gguf/embedding-facts.ts';
import type { GgufHeader } from '../models/package/read-gguf-header.ts';
import { say } from '../strings/say.ts';

/**
 * Compares a model's kind (chat, embedding, reranking) in its entry with that in its file. They differ if the site's
 * options are wrong, or if the entry was stored by a build that did not read this part of the header.
 * @throws ApiError `model_load_failed` with a remedy.
 */
export function refuseWrongKind({ id, embedding: said }: ModelEntry, header: GgufHeader): void {
  if (header.mmproj !== null) throw new ApiError('model_load_failed', say('isEncoderOfSite', id), { param: 'model' });
  const found = embeddingFacts(header);
  if (said?.dimensions === found?.dimensions && said?.ranks === found?.ranks) return;
  const sentence = found === undefined ? say('isChatModel', id) : say('isEmbeddingModel', id, JSON.stringify(found));
  throw new ApiError('model_load_failed', sentence, { param: 'model' });
}
