import type { JsonSchema } from '../../shared/completion-request.ts';

type SchemaObject = Readonly<Record<string, unknown>>;

const ONE_SCHEMA = [
  'additionalProperties',
  'unevaluatedProperties',
  'propertyNames',
  'items',
  'unevaluatedItems',
  'contains',
  'not',
];
const LIST_OF_SCHEMAS = ['prefixItems', 'anyOf', 'oneOf', 'allOf'];
const NAMED_SCHEMAS = ['properties', 'patternProperties', '$defs', 'definitions'];

/** The grammar package fails to quote other names. */
const USABLE_NAME = /^[^"\\\p{Cc}\p{Surrogate}]*$/u;

/**
 * A schema as the grammar package (0.1.27) has to get it to do what the caller's schema says:
 * - Bounds of numbers with a fraction are widened to whole ones; the package would let any character stand
 *   for the decimal point, and the answer would not be JSON.
 * - An array whose length is limited may have items although nothing describes them; the package would
 *   allow none.
 * - A required property that nothing describes may be anything; the package would leave it out.
 */
export function grammarSchema(schema: JsonSchema): JsonSchema {
  if (!isObject(schema)) return schema;
  const inner = Object.entries(schema).map(([keyword, value]) => [keyword, withinKeyword(keyword, value)] as const);
  return describeRequired(describeItems(widenBounds(Object.fromEntries(inner))));
}

function withinKeyword(keyword: string, value: unknown): unknown {
  if (ONE_SCHEMA.includes(keyword)) return grammarSchema(value as JsonSchema);
  if (LIST_OF_SCHEMAS.includes(keyword) && Array.isArray(value)) return (value as JsonSchema[]).map(grammarSchema);
  if (!NAMED_SCHEMAS.includes(keyword) || !isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value as Readonly<Record<string, JsonSchema>>).map(([name, inner]) => [name, grammarSchema(inner)]),
  );
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
  const missing = required.filter((name) => !Object.hasOwn(properties, name) && USABLE_NAME.test(name));
  if (missing.length === 0) return schema;
  return { ...schema, properties: { ...properties, ...Object.fromEntries(missing.map((name) => [name, true])) } };
}

function isOfType({ type }: SchemaObject, wanted: string): boolean {
  return Array.isArray(type) ? type.includes(wanted) : type === wanted;
}

/** What is no schema at all is left for the grammar package to refuse. */
function isObject(value: unknown): value is SchemaObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
