import type { JsonSchema } from '../engine/completion-request.ts';
import { isSchemaObject, type SchemaObject } from './schema-object.ts';

const ONE_SCHEMA = [
  'additionalProperties',
  'unevaluatedProperties',
  'propertyNames',
  'items',
  'additionalItems',
  'unevaluatedItems',
  'contains',
  'not',
];
const LIST_OF_SCHEMAS = ['prefixItems', 'items', 'anyOf', 'oneOf', 'allOf'];
const NAMED_SCHEMAS = ['properties', 'patternProperties', 'dependentSchemas', '$defs', 'definitions'];

/** Copies a schema with `change` applied to each of its direct subschemas. */
export function mapSubschemas(schema: SchemaObject, change: (inner: JsonSchema) => JsonSchema): SchemaObject {
  return Object.fromEntries(
    Object.entries(schema).map(([keyword, value]) => [keyword, mapKeyword(keyword, value, change)]),
  );
}

function mapKeyword(keyword: string, value: unknown, change: (inner: JsonSchema) => JsonSchema): unknown {
  if (LIST_OF_SCHEMAS.includes(keyword) && Array.isArray(value)) return (value as JsonSchema[]).map(change);
  if (ONE_SCHEMA.includes(keyword)) return change(value as JsonSchema);
  if (!NAMED_SCHEMAS.includes(keyword) || !isSchemaObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value as Readonly<Record<string, JsonSchema>>).map(([name, inner]) => [name, change(inner)]),
  );
}
