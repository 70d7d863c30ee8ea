import type { JsonSchema } from '../engine/completion-request.ts';
import { isSchemaObject, resolveReference, type SchemaObject } from '../json-schema/schema-object.ts';
import { FORMAT_PATTERNS, NUMBER_FORMATS } from './formats.ts';
import { decimalPlaces } from './number-language.ts';

/** Whether a value meets a schema, of which only the keywords that the grammar compiler follows count. */
export function matchesSchema(root: JsonSchema, schema: JsonSchema, value: unknown): boolean {
  if (!isSchemaObject(schema)) return schema;
  const matches = (inner: unknown, part: unknown) => matchesSchema(root, inner as JsonSchema, part);
  return (
    matchesType(schema, value) &&
    matchesFixed(schema, value) &&
    matchesInPlace(schema, value, root) &&
    (typeof value !== 'number' || matchesNumber(schema, value)) &&
    (typeof value !== 'string' || matchesText(schema, value)) &&
    (!Array.isArray(value) || matchesArray(schema, value, matches)) &&
    (!isSchemaObject(value) || matchesObject(schema, value, matches))
  );
}

type Matches = (schema: unknown, value: unknown) => boolean;

function matchesType({ type }: SchemaObject, value: unknown): boolean {
  if (type === undefined) return true;
  const actual = value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;
  return [type].flat().some((one) => one === actual || (one === 'integer' && Number.isInteger(value)));
}

function matchesFixed(schema: SchemaObject, value: unknown): boolean {
  const options = schema.const === undefined ? (schema.enum as readonly unknown[] | undefined) : [schema.const];
  const isListed = options?.some((option) => isEqual(option, value)) ?? true;
  return (
    isListed &&
    (schema.const === undefined || !Array.isArray(schema.enum) || schema.enum.some((one) => isEqual(one, value)))
  );
}

function isEqual(one: unknown, other: unknown): boolean {
  if (Array.isArray(one)) {
    return (
      Array.isArray(other) && one.length === other.length && one.every((part, index) => isEqual(part, other[index]))
    );
  }
  if (!isSchemaObject(one)) return one === other;
  if (!isSchemaObject(other)) return false;
  const names = Object.keys(one);
  return (
    names.length === Object.keys(other).length &&
    names.every((name) => Object.hasOwn(other, name) && isEqual(one[name], other[name]))
  );
}

function matchesInPlace(schema: SchemaObject, value: unknown, root: JsonSchema): boolean {
  const matches = (inner: unknown) => matchesSchema(root, inner as JsonSchema, value);
  const {
    $ref,
    not,
    allOf = [],
    anyOf,
    oneOf,
  } = schema as Readonly<Record<string, unknown>> & {
    readonly [keyword in 'allOf' | 'anyOf' | 'oneOf']?: readonly unknown[];
  };
  return (
    (typeof $ref !== 'string' || matches(resolveReference(root, $ref))) &&
    (not === undefined || !matches(not)) &&
    allOf.every(matches) &&
    (anyOf?.some(matches) ?? true) &&
    (oneOf === undefined || oneOf.filter(matches).length === 1)
  );
}

function matchesNumber(schema: SchemaObject, value: number): boolean {
  const {
    minimum = -Infinity,
    maximum = Infinity,
    exclusiveMinimum = -Infinity,
    exclusiveMaximum = Infinity,
    multipleOf,
    format,
  } = schema as Readonly<Record<string, number | undefined>>;
  const [low, high] = NUMBER_FORMATS[String(format)] ?? [-Infinity, Infinity];
  return (
    value >= Math.max(minimum, low) &&
    value <= Math.min(maximum, high) &&
    (typeof exclusiveMinimum === 'boolean' || value > exclusiveMinimum) &&
    (typeof exclusiveMaximum === 'boolean' || value < exclusiveMaximum) &&
    (multipleOf === undefined || isMultiple(value, multipleOf))
  );
}

/** Compares decimals, since 1.1 / 0.1 is not a whole number in binary. */
function isMultiple(value: number, of: number): boolean {
  const { step, digits } = decimalPlaces(of);
  const scaled = decimalPlaces(Math.abs(value));
  return scaled.digits <= digits && (scaled.step * 10 ** (digits - scaled.digits)) % step === 0;
}

function matchesText({ minLength = 0, maxLength = Infinity, pattern, format }: SchemaObject, value: string): boolean {
  const { length } = Array.from(value);
  const formatPattern = Object.hasOwn(FORMAT_PATTERNS, String(format)) ? FORMAT_PATTERNS[String(format)] : undefined;
  return (
    length >= (minLength as number) &&
    length <= (maxLength as number) &&
    (typeof pattern !== 'string' || new RegExp(pattern, 'u').test(value)) &&
    (formatPattern === undefined || new RegExp(`^(?:${formatPattern})$`, 'u').test(value))
  );
}

function matchesArray(schema: SchemaObject, value: readonly unknown[], matches: Matches): boolean {
  const { minItems = 0, maxItems = Infinity, prefixItems, items, additionalItems } = schema;
  const tuple: readonly unknown[] = Array.isArray(prefixItems) ? prefixItems : Array.isArray(items) ? items : [];
  const rest = Array.isArray(items) ? additionalItems : items;
  return (
    value.length >= (minItems as number) &&
    value.length <= (maxItems as number) &&
    value.every((item, index) => matches(index < tuple.length ? tuple[index] : (rest ?? true), item))
  );
}

function matchesObject(schema: SchemaObject, value: SchemaObject, matches: Matches): boolean {
  const {
    required = [],
    minProperties = 0,
    maxProperties = Infinity,
    propertyNames = true,
    additionalProperties = true,
  } = schema;
  const properties = isSchemaObject(schema.properties) ? schema.properties : {};
  const patterns = Object.entries(isSchemaObject(schema.patternProperties) ? schema.patternProperties : {});
  const names = Object.keys(value);
  return (
    (required as readonly string[]).every((name) => Object.hasOwn(value, name)) &&
    names.length >= (minProperties as number) &&
    names.length <= (maxProperties as number) &&
    matchesDependencies(schema, value, matches) &&
    names.every((name) => {
      const own = Object.hasOwn(properties, name) ? [properties[name]] : [];
      const matched = patterns.flatMap(([source, inner]) => (new RegExp(source, 'u').test(name) ? [inner] : []));
      const schemas = [...own, ...matched];
      return (
        matches(propertyNames, name) &&
        (schemas.length > 0 ? schemas : [additionalProperties]).every((inner) => matches(inner, value[name]))
      );
    })
  );
}

function matchesDependencies(schema: SchemaObject, value: SchemaObject, matches: Matches): boolean {
  return ['dependentRequired', 'dependentSchemas', 'dependencies'].every((keyword) =>
    Object.entries(isSchemaObject(schema[keyword]) ? schema[keyword] : {}).every(([name, dependent]) => {
      if (!Object.hasOwn(value, name)) return true;
      if (!Array.isArray(dependent)) return matches(dependent, value);
      return dependent.every((other) => Object.hasOwn(value, String(other)));
    }),
  );
}
