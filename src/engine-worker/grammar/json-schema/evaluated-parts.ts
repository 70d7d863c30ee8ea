import { isSchemaObject, type SchemaObject } from '../../../shared/json-schema/schema-object.ts';
import { matchesPattern } from '../regular-language/matches-pattern.ts';
import { appliedSchemas, type Matching } from './applied-schemas.ts';

/**
 * Returns the properties or items of a value that a schema says something about, for `unevaluatedProperties` and
 * `unevaluatedItems`; null if it says something about all of them.
 * @param schema A schema that the value is valid against.
 */
export function evaluatedNames(schema: unknown, value: SchemaObject, matching: Matching): ReadonlySet<string> | null {
  if (!isSchemaObject(schema)) return new Set();
  if (schema['additionalProperties'] !== undefined || schema['unevaluatedProperties'] !== undefined) return null;
  const { properties, patternProperties } = schema;
  const patterns = Object.keys(isSchemaObject(patternProperties) ? patternProperties : {});
  const names = Object.keys(value);
  const found = new Set([
    ...Object.keys(isSchemaObject(properties) ? properties : {}),
    ...names.filter((name) => patterns.some((pattern) => matchesPattern(pattern, name))),
  ]);
  for (const inner of appliedSchemas(schema, value, matching)) {
    const further = evaluatedNames(inner, value, matching);
    if (further === null) return null;
    further.forEach((name) => found.add(name));
  }
  return found;
}

/** See {@link evaluatedNames}. Returns indices. */
export function evaluatedItems(
  schema: unknown,
  value: readonly unknown[],
  matching: Matching,
): ReadonlySet<number> | null {
  if (!isSchemaObject(schema)) return new Set();
  const { prefixItems, items, additionalItems, unevaluatedItems, contains } = schema;
  const tuple = Array.isArray(prefixItems) ? prefixItems : Array.isArray(items) ? items : [];
  const rest = Array.isArray(items) ? additionalItems : items;
  if (rest !== undefined || unevaluatedItems !== undefined) return null;
  const found = new Set(tuple.keys());
  if (contains !== undefined) value.forEach((item, index) => matching.matches(contains, item) && found.add(index));
  for (const inner of appliedSchemas(schema, value, matching)) {
    const further = evaluatedItems(inner, value, matching);
    if (further === null) return null;
    further.forEach((index) => found.add(index));
  }
  return found;
}
