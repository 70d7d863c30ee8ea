import { isSchemaObject, type SchemaObject } from '../../shared/json-schema/schema-object.ts';

/** A combination of keywords that no value can satisfy. */
export interface Contradiction {
  readonly keyword: string;
  /** What contradicts the keyword, to follow it in an error sentence, such as "is above `maxLength`". */
  readonly text: string;
}

/** Finds the first contradiction between keywords that are valid on their own. */
export function findContradiction(schema: SchemaObject): Contradiction | null {
  return numbers(schema) ?? lengths(schema) ?? items(schema) ?? properties(schema);
}

const BOUNDS = ['minimum', 'exclusiveMinimum', 'maximum', 'exclusiveMaximum'];

function numbers(schema: SchemaObject): Contradiction | null {
  const whole = isOfType(schema, 'integer');
  // The grammar compiler expands the bounds of integers digit by digit, so they must be exact integers.
  const broken = BOUNDS.find((keyword) => schema[keyword] !== undefined && !Number.isSafeInteger(schema[keyword]));
  if (whole && broken !== undefined)
    return { keyword: broken, text: 'must be a whole number next to the type "integer"' };

  const {
    minimum = -Infinity,
    exclusiveMinimum = -Infinity,
    maximum = Infinity,
    exclusiveMaximum = Infinity,
  } = schema as Readonly<Record<string, number>>;
  const step = whole ? 1 : 0;
  const lowest = Math.max(minimum, exclusiveMinimum + step);
  const highest = Math.min(maximum, exclusiveMaximum - step);
  const none = lowest > highest || exclusiveMinimum >= highest || lowest >= exclusiveMaximum;
  return none
    ? { keyword: minimum > exclusiveMinimum ? 'minimum' : 'exclusiveMinimum', text: 'is above what the maximum allows' }
    : null;
}

function lengths(schema: SchemaObject): Contradiction | null {
  return (
    above(schema, 'minLength', 'maxLength') ??
    above(schema, 'minItems', 'maxItems') ??
    above(schema, 'minProperties', 'maxProperties')
  );
}

function above(schema: SchemaObject, least: string, most: string): Contradiction | null {
  return (schema[least] as number) > (schema[most] as number) ? { keyword: least, text: `is above \`${most}\`` } : null;
}

/** The grammar allows only described items, so the schema must describe at least `minItems`. */
function items(schema: SchemaObject): Contradiction | null {
  const {
    prefixItems,
    minItems = 0,
    maxItems = Infinity,
  } = schema as { prefixItems?: unknown[]; minItems?: number; maxItems?: number };
  const listed = prefixItems?.length ?? 0;
  if (maxItems < listed) return { keyword: 'maxItems', text: 'allows fewer items than `prefixItems` lists' };
  const further = schema.items ?? schema.unevaluatedItems ?? !(isOfType(schema, 'array') || listed > 0);
  if (further !== false || minItems <= listed) return null;
  return { keyword: 'minItems', text: 'asks for more items than the schema describes; describe them with `items`' };
}

function properties(schema: SchemaObject): Contradiction | null {
  const {
    required = [],
    minProperties = 0,
    maxProperties = Infinity,
  } = schema as { required?: string[]; minProperties?: number; maxProperties?: number };
  if (maxProperties < required.length)
    return { keyword: 'maxProperties', text: 'allows fewer properties than are required' };
  const isDescribed = isOfType(schema, 'object') || schema.properties !== undefined;
  const further = schema.additionalProperties ?? schema.unevaluatedProperties ?? !isDescribed;
  const open = further !== false || schema.patternProperties !== undefined || schema.propertyNames !== undefined;
  const declared = isSchemaObject(schema.properties) ? Object.keys(schema.properties).length : 0;
  if (open || minProperties <= declared) return null;
  return {
    keyword: 'minProperties',
    text: 'asks for more properties than the schema describes; allow others with `additionalProperties`',
  };
}

/** Whether `type` is or includes `wanted`. */
function isOfType({ type }: SchemaObject, wanted: string): boolean {
  return Array.isArray(type) ? type.includes(wanted) : type === wanted;
}
