import type { JsonSchema } from '../../../shared/engine/completion-request.ts';
import { localReferences } from '../../../shared/json-schema/local-references.ts';
import { resolveReference } from '../../../shared/json-schema/resolve-reference.ts';
import { isSchemaObject, type SchemaObject } from '../../../shared/json-schema/schema-object.ts';
import { matchesFormat, NUMBER_FORMATS } from './formats/formats.ts';
import { matchesPattern } from '../regular-language/matches-pattern.ts';
import { decimalPlaces } from '../regular-language/number-language.ts';
import type { Matching } from './applied-schemas.ts';
import { evaluatedItems, evaluatedNames } from './evaluated-parts.ts';
import { dependentSchemas } from './dependent-schemas.ts';

/**
 * Whether a text is the JSON of a value that is valid against a whole schema, as far as {@link matchesSchema} checks it. A
 * schema that cannot be checked, such as one that only refers to itself, allows every value.
 * @param schema Null allows any value.
 */
export function matchesWhole(schema: JsonSchema | null, text: string): boolean {
  try {
    return schema === null || matchesSchema(schema, schema, JSON.parse(text));
  } catch {
    return true;
  }
}

/**
 * Whether a value is valid against a schema. Checks all keywords but dynamic references; a reference that leads nowhere,
 * and a pattern that might take minutes, allow every value. Each part of the value is checked once against each schema,
 * so that nested alternatives do not multiply the work.
 */
export function matchesSchema(given: JsonSchema, schema: JsonSchema, value: unknown): boolean {
  const root = localReferences(given);
  const known = new Map<SchemaObject, Map<unknown, boolean>>();
  const matches: Matches = (inner, part) => {
    if (!isSchemaObject(inner)) return inner === true;
    const results = known.get(inner) ?? new Map<unknown, boolean>();
    known.set(inner, results);
    const found = results.get(part);
    if (found !== undefined) return found;
    // A schema that refers to itself without describing anything says nothing about the value.
    results.set(part, true);
    const result = matchesKeywords(inner, part, { root, matches });
    results.set(part, result);
    return result;
  };
  return matches(schema === given ? root : schema, value);
}

type Matches = Matching['matches'];

function matchesKeywords(schema: SchemaObject, value: unknown, matching: Matching): boolean {
  const { root, matches } = matching;
  return (
    matchesType(schema, value) &&
    matchesFixed(schema, value) &&
    matchesInPlace(schema, value, root, matches) &&
    (typeof value !== 'number' || matchesNumber(schema, value)) &&
    (typeof value !== 'string' || matchesText(schema, value)) &&
    (!Array.isArray(value) || (matchesArray(schema, value, matches) && matchesOtherItems(schema, value, matching))) &&
    (!isSchemaObject(value) || (matchesObject(schema, value, matches) && matchesOtherNames(schema, value, matching)))
  );
}

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

function matchesInPlace(schema: SchemaObject, value: unknown, root: JsonSchema, matches: Matches): boolean {
  const {
    $ref,
    not,
    anyOf,
    oneOf,
    allOf = [],
  } = schema as SchemaObject & {
    readonly [keyword in 'allOf' | 'anyOf' | 'oneOf']?: readonly unknown[];
  };
  const meets = (inner: unknown) => matches(inner, value);
  return (
    (typeof $ref !== 'string' || meets(resolveReference(root, $ref) ?? true)) &&
    meets((schema.if === undefined ? undefined : meets(schema.if) ? schema.then : schema.else) ?? true) &&
    (not === undefined || !meets(not)) &&
    allOf.every(meets) &&
    (anyOf?.some(meets) ?? true) &&
    (oneOf === undefined || oneOf.filter(meets).length === 1)
  );
}

function matchesNumber(schema: SchemaObject, value: number): boolean {
  const { minimum = -Infinity, maximum = Infinity, multipleOf, format } = schema as Readonly<Record<string, number>>;
  const [low, high] = NUMBER_FORMATS[String(format)] ?? [-Infinity, Infinity];
  // In draft 4 these keywords are booleans that exclude the bound of `minimum` or `maximum`.
  const { exclusiveMinimum = false, exclusiveMaximum = false } = schema;
  const above = typeof exclusiveMinimum === 'number' ? exclusiveMinimum : exclusiveMinimum ? minimum : -Infinity;
  const below = typeof exclusiveMaximum === 'number' ? exclusiveMaximum : exclusiveMaximum ? maximum : Infinity;
  return (
    value >= Math.max(minimum, low) &&
    value <= Math.min(maximum, high) &&
    value > above &&
    value < below &&
    (multipleOf === undefined || isMultiple(value, multipleOf))
  );
}

/**
 * Whether a number is a multiple of another. Computes in decimal, because the binary quotient 1.1 / 0.1 is not an
 * integer.
 */
function isMultiple(value: number, of: number): boolean {
  const { step, digits } = decimalPlaces(of);
  const scaled = decimalPlaces(Math.abs(value));
  return scaled.digits <= digits && (scaled.step * 10 ** (digits - scaled.digits)) % step === 0;
}

function matchesText({ minLength = 0, maxLength = Infinity, pattern, format }: SchemaObject, value: string): boolean {
  const { length } = Array.from(value);
  return (
    length >= (minLength as number) &&
    length <= (maxLength as number) &&
    (typeof pattern !== 'string' || matchesPattern(pattern, value)) &&
    (typeof format !== 'string' || matchesFormat(format, value))
  );
}

function matchesArray(schema: SchemaObject, value: readonly unknown[], matches: Matches): boolean {
  const { minItems = 0, maxItems = Infinity, prefixItems, items, additionalItems } = schema;
  const tuple: readonly unknown[] = Array.isArray(prefixItems) ? prefixItems : Array.isArray(items) ? items : [];
  const rest = Array.isArray(items) ? additionalItems : items;
  const { contains, minContains = 1, maxContains = Infinity, uniqueItems } = schema;
  const contained = contains === undefined ? 0 : value.filter((item) => matches(contains, item)).length;
  return (
    (contains === undefined || (contained >= (minContains as number) && contained <= (maxContains as number))) &&
    (uniqueItems !== true || value.every((item, index) => !value.slice(0, index).some((one) => isEqual(one, item)))) &&
    value.length >= (minItems as number) &&
    value.length <= (maxItems as number) &&
    value.every((item, index) => matches(index < tuple.length ? tuple[index] : (rest ?? true), item))
  );
}

function matchesOtherItems(schema: SchemaObject, value: readonly unknown[], matching: Matching): boolean {
  const { unevaluatedItems, ...others } = schema;
  if (unevaluatedItems === undefined) return true;
  const evaluated = evaluatedItems(others, value, matching);
  return value.every((item, index) => evaluated?.has(index) !== false || matching.matches(unevaluatedItems, item));
}

function matchesOtherNames(schema: SchemaObject, value: SchemaObject, matching: Matching): boolean {
  const { unevaluatedProperties, ...others } = schema;
  if (unevaluatedProperties === undefined) return true;
  const evaluated = evaluatedNames(others, value, matching);
  return Object.entries(value).every(
    ([name, inner]) => evaluated?.has(name) !== false || matching.matches(unevaluatedProperties, inner),
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
    dependentSchemas(schema).every(
      ({ name, schema: dependent }) => !Object.hasOwn(value, name) || matches(dependent, value),
    ) &&
    names.every((name) => {
      const own = Object.hasOwn(properties, name) ? [properties[name]] : [];
      const matched = patterns.flatMap(([source, inner]) => (matchesPattern(source, name) ? [inner] : []));
      const schemas = [...own, ...matched];
      return (
        matches(propertyNames, name) &&
        (schemas.length > 0 ? schemas : [additionalProperties]).every((inner) => matches(inner, value[name]))
      );
    })
  );
}
