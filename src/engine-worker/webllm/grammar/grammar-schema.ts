import type { JsonSchema } from '../../../shared/engine/completion-request.ts';
import { mapSubschemas } from '../../../shared/json-schema/map-subschemas.ts';
import { isOfType, isSchemaObject, type SchemaObject } from '../../../shared/json-schema/schema-object.ts';

/**
 * A schema as the grammar package (0.1.27) has to get it to do what the caller's schema says:
 * - Bounds of numbers with a fraction are widened to whole ones; the package would let any character stand
 *   for the decimal point, and the answer would not be JSON.
 * - An array whose length is limited may have items although nothing describes them; the package would
 *   allow none.
 * - A required property that nothing describes may be anything; the package would leave it out.
 */
export function grammarSchema(schema: JsonSchema): JsonSchema {
  // What is no schema at all is left for the grammar package to refuse.
  if (!isSchemaObject(schema)) return schema;
  return describeRequired(describeItems(widenBounds(mapSubschemas(schema, grammarSchema))));
}

function widenBounds(schema: SchemaObject): SchemaObject {
  const widened = { ...schema };
  for (const [keyword, widen] of Object.entries({
    minimum: Math.floor,
    exclusiveMinimum: Math.floor,
    maximum: Math.ceil,
    exclusiveMaximum: Math.ceil,
  })) {
    if (typeof widened[keyword] === 'number') widened[keyword] = widen(widened[keyword]);
  }
  return widened;
}

function describeItems(schema: SchemaObject): SchemaObject {
  const limited = schema.minItems !== undefined || schema.maxItems !== undefined || schema.uniqueItems !== undefined;
  const described = ['items', 'prefixItems', 'unevaluatedItems'].some((keyword) => schema[keyword] !== undefined);
  return limited && !described && isOfType(schema, 'array') ? { ...schema, items: true } : schema;
}

function describeRequired(schema: SchemaObject): SchemaObject {
  const { required = [], properties = {} } = schema as { required?: readonly string[]; properties?: SchemaObject };
  const open = ['additionalProperties', 'unevaluatedProperties', 'patternProperties', 'propertyNames'];
  if (!isOfType(schema, 'object') || open.some((keyword) => schema[keyword] !== undefined)) return schema;
  const missing = required.filter((name) => !Object.hasOwn(properties, name));
  if (missing.length === 0) return schema;
  return { ...schema, properties: { ...properties, ...Object.fromEntries(missing.map((name) => [name, true])) } };
}
