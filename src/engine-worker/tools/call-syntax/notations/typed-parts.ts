import { ANNOTATIONS } from '../../../grammar/json-schema/annotations.ts';
import type { JsonSchema } from '../../../../shared/engine/completion-request.ts';

/** A schema whose values a notation can write: what it is, without what only describes it. */
export type TypedPart =
  | { readonly kind: 'null' | 'boolean' | 'number' | 'other' }
  | { readonly kind: 'array'; readonly items: JsonSchema; readonly min: number; readonly max: number }
  | { readonly kind: 'object' }
  /** A value of one of several schemas. */
  | { readonly kind: 'any'; readonly options: readonly JsonSchema[] };

/** Returns what kind of values a schema has; `other` if they have to be written as JSON. */
export function typedPart(schema: JsonSchema): TypedPart {
  if (typeof schema === 'boolean') return { kind: 'other' };
  const { type, ...others } = schema;
  const keywords = Object.keys(others).filter((keyword) => !ANNOTATIONS.includes(keyword));
  if (Array.isArray(type)) {
    return { kind: 'any', options: (type as string[]).map((one) => ({ ...optionOf(schema, one), type: one })) };
  }
  if (type === undefined && keywords.join() === 'anyOf' && Array.isArray(schema['anyOf'])) {
    return { kind: 'any', options: schema['anyOf'] as JsonSchema[] };
  }
  if ((type === 'null' || type === 'boolean') && keywords.length === 0) return { kind: type };
  if (type === 'integer' || type === 'number') return { kind: 'number' };
  if (type === 'object') return { kind: 'object' };
  const { items = true, minItems = 0, maxItems = Infinity } = schema;
  const isList = type === 'array' && keywords.every((keyword) => ['items', 'minItems', 'maxItems'].includes(keyword));
  if (!isList || Array.isArray(items) || typeof minItems !== 'number' || typeof maxItems !== 'number')
    return { kind: 'other' };
  return { kind: 'array', items: items as JsonSchema, min: minItems, max: maxItems };
}

/** Keywords that say something about one type only, by that type. */
const OF_TYPE: Readonly<Record<string, readonly string[]>> = {
  string: ['minLength', 'maxLength', 'pattern', 'format'],
  integer: ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  number: ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  array: ['items', 'minItems', 'maxItems'],
  object: ['properties', 'required', 'additionalProperties'],
  boolean: [],
  null: [],
};

/** Returns a schema of several types without the keywords that concern only the other types. */
function optionOf(schema: Exclude<JsonSchema, boolean>, type: string): Readonly<Record<string, unknown>> {
  const ofOthers = new Set(Object.values(OF_TYPE).flat());
  for (const keyword of OF_TYPE[type] ?? []) ofOthers.delete(keyword);
  return Object.fromEntries(Object.entries(schema).filter(([keyword]) => !ofOthers.has(keyword)));
}
