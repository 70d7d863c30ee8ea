import type { JsonSchema, ResponseFormat } from '../../shared/completion-request.ts';
import { boolean, object, oneOf, optional, required, text } from './checks.ts';
import type { Check } from './checks.ts';
import { identifier } from './identifier.ts';
import { readSchema } from './schema/read-schema.ts';

export const readResponseFormat: Check<ResponseFormat> = (value, param, body) => {
  const format = object(value, param, body);
  const type = required(oneOf(['text', 'json_object', 'json_schema']))(format.type, `${param}.type`, body);
  if (type !== 'json_schema') return { type };

  const path = `${param}.json_schema`;
  const wanted = required(object)(format.json_schema, path, body);
  required(identifier)(wanted.name, `${path}.name`, body);
  optional('', text)(wanted.description, `${path}.description`, body);
  optional(false, boolean)(wanted.strict, `${path}.strict`, body);
  const schema = optional<JsonSchema, null>(null, readSchema)(wanted.schema, `${path}.schema`, body);
  return { type, schema };
};
