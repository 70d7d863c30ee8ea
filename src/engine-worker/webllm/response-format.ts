import type { ResponseFormat as EngineResponseFormat } from '@mlc-ai/web-llm';
import type { JsonSchema, ResponseFormat } from '../../shared/completion-request.ts';
import { grammarSchema } from './grammar-schema.ts';

/** WebLLM's JSON mode without a schema throws; this schema accepts every object. */
const ANY_OBJECT: JsonSchema = { type: 'object' };

/** The schema that answers must follow; null for free text. */
export function answerSchema(format: ResponseFormat): JsonSchema | null {
  if (format.type === 'text') return null;
  return grammarSchema((format.type === 'json_schema' ? format.schema : null) ?? ANY_OBJECT);
}

/** The grammar that a response format asks for; null for free text. */
export function engineResponseFormat(format: ResponseFormat): EngineResponseFormat | null {
  const schema = answerSchema(format);
  return schema === null ? null : { type: 'json_object', schema: JSON.stringify(schema) };
}
