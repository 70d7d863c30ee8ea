import type { JsonSchema } from '../../../shared/engine/completion-request.ts';
import { mapSubschemas } from '../../../shared/json-schema/map-subschemas.ts';
import { isOfType, isSchemaObject, type SchemaObject } from '../../../shared/json-schema/schema-object.ts';

/**
 * Rewrites a JSON schema to work around faults of the grammar package (0.1.27):
 * - Fractional bounds of numbers are widened to integers. The package would accept any character as the decimal point.
 * - An array with a length limit but no `items` gets a schema for any item. The package would allow no items.
 * - A required property without a schema gets one for any value. The package would omit the property.
 */
export function grammarSchema(schema: JsonSchema): JsonSchema {
  // The grammar package refuses anything that is no schema.
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
