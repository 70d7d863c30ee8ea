import type { JsonSchema } from '../engine/completion-request.ts';
import { isSchemaObject } from './schema-object.ts';

/** Limit of the properties that an outline names. */
const MAX_NAMED = 50;

const TYPES: readonly unknown[] = ['array', 'boolean', 'integer', 'null', 'number', 'object', 'string'];

const ANY_OBJECT: JsonSchema = { type: 'object' };

/**
 * Returns what may be followed of a schema for objects in place of the whole, the closest first: the names of its
 * properties, with their types if these are plain; then any object, which is always possible. Each allows all objects that
 * the schema allows.
 */
export function objectOutlines(schema: JsonSchema): readonly JsonSchema[] {
  const { properties, patternProperties, required, additionalProperties } = isSchemaObject(schema) ? schema : {};
  const named = isSchemaObject(properties) ? Object.entries(properties) : [];
  if (named.length === 0 || named.length > MAX_NAMED) return [ANY_OBJECT];
  const names = named.map(([name]) => name);
  const outline: JsonSchema = {
    type: 'object',
    properties: Object.fromEntries(named.map(([name, inner]) => [name, plainType(inner)])),
    required: Array.isArray(required) ? required.filter((name) => names.includes(name as string)) : [],
    additionalProperties: additionalProperties !== false || patternProperties !== undefined,
  };
  return [outline, ANY_OBJECT];
}

function plainType(schema: unknown): JsonSchema {
  return isSchemaObject(schema) && TYPES.includes(schema['type']) ? { type: schema['type'] } : {};
}
