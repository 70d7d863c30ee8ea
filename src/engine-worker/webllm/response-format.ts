import type { ResponseFormat as EngineResponseFormat } from '@mlc-ai/web-llm';
import type { ResponseFormat } from '../../shared/completion-request.ts';

/** WebLLM's JSON mode without a schema throws; this schema accepts every object. */
const ANY_OBJECT = '{"type":"object"}';

/** The grammar that a response format asks for; null for free text. */
export function engineResponseFormat(format: ResponseFormat): EngineResponseFormat | null {
  if (format.type === 'text') return null;
  const schema = format.type === 'json_schema' ? format.schema : null;
  return { type: 'json_object', schema: schema === null ? ANY_OBJECT : JSON.stringify(schema) };
}
