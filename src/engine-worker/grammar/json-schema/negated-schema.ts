import type { JsonSchema } from '../../../shared/engine/completion-request.ts';
import { resolveReference } from '../../../shared/json-schema/resolve-reference.ts';
import { isSchemaObject, type SchemaObject } from '../../../shared/json-schema/schema-object.ts';
import { FORMAT_PATTERNS, NUMBER_FORMATS } from './formats/formats.ts';
import { dependentSchemas } from './dependent-schemas.ts';

/**
 * Schemas that break one keyword: a value meets one of them if, and only if, it does not meet the keyword. Null if this cannot
 * be said by keywords that a grammar follows.
 */
type Violations = (value: never, schema: SchemaObject, root: JsonSchema) => readonly JsonSchema[] | null;

const TYPES = ['null', 'boolean', 'number', 'string', 'array', 'object'];

/** Limit of the options of a negated `oneOf`, of which each two may hold together. */
const MAX_OPTIONS = 6;

const NEGATED = new WeakMap<SchemaObject, SchemaObject>();

/** Returns a schema that is met by all values that do not meet the given one; the same object for the same schema. */
export function negated(schema: JsonSchema): JsonSchema {
  if (!isSchemaObject(schema)) return !schema;
  const made = NEGATED.get(schema) ?? { not: schema };
  NEGATED.set(schema, made);
  return made;
}

/**
 * Whether `not` beside a type needs no alternatives, because the languages of texts and numbers express it: a text that does not
 * match a pattern or is not listed, or a number that is not an integer.
 */
export function isPlainNegation({ type, not }: SchemaObject): boolean {
  if (!isSchemaObject(not)) return false;
  const [keyword, ...others] = Object.keys(not);
  if (others.length > 0) return false;
  if (type === 'number') return not['type'] === 'integer';
  return type === 'string' && (keyword === 'pattern' || (keyword === 'enum' && isTexts(not['enum'])));
}

function isTexts(values: unknown): boolean {
  return Array.isArray(values) && values.every((value) => typeof value === 'string');
}

/**
 * Returns schemas of which a value meets at least one if, and only if, it does not meet the given one. Each names its type, so
 * that few of them fit what stands beside `not`.
 * @returns the name of a keyword that cannot be negated in place of the schemas.
 */
export function violationsOf(schema: JsonSchema, root: JsonSchema): readonly JsonSchema[] | string {
  if (!isSchemaObject(schema)) return schema ? [] : [true];
  const all: JsonSchema[] = [];
  for (const [keyword, value] of Object.entries(schema)) {
    const found = Object.hasOwn(VIOLATIONS, keyword) ? VIOLATIONS[keyword]!(value as never, schema, root) : [];
    if (found === null) return keyword;
    all.push(...found);
  }
  return all;
}

const onlyIf =
  (isHarmless: (value: unknown) => boolean): Violations =>
  (value) =>
    isHarmless(value) ? [] : null;

/** Keywords that can only be negated if they allow everything. */
const unlessTrue = onlyIf((value) => value === true || (isSchemaObject(value) && Object.keys(value).length === 0));
const unlessEmpty = onlyIf((value) => isSchemaObject(value) && Object.keys(value).length === 0);

/** The limit of one count is broken beyond the limit of the other. */
const below =
  (type: string, keyword: string): Violations =>
  (value: number) =>
    value > 0 ? [{ type, [keyword]: value - 1 }] : [];
const above =
  (type: string, keyword: string): Violations =>
  (value: number) => [{ type, [keyword]: value + 1 }];

const eachItem: Violations = (values: unknown) =>
  !Array.isArray(values)
    ? [{ type: 'array', contains: negated(values as JsonSchema) }]
    : values.map((item: JsonSchema, index) => ({
        type: 'array',
        minItems: index + 1,
        prefixItems: [...Array.from({ length: index }, () => true), negated(item)],
      }));

const dependents: Violations = (_, schema) =>
  dependentSchemas(schema).map(({ name, schema: dependent }) => ({
    type: 'object',
    required: [name],
    allOf: [negated(dependent)],
  }));

const VIOLATIONS: Readonly<Record<string, Violations>> = {
  type: (value: string | readonly string[]) => {
    const types = [value].flat();
    const others = TYPES.filter((type) => !types.includes(type) && !(type === 'number' && types.includes('integer')));
    const fractions = types.includes('integer') && !types.includes('number');
    return [
      ...(others.length > 0 ? [{ type: others }] : []),
      ...(fractions ? [{ type: 'number', not: { type: 'integer' } }] : []),
    ];
  },
  const: (value: unknown) => otherValues([value]),
  enum: (values: readonly unknown[]) => otherValues(values),
  $ref: (reference: string, _, root) => {
    const target = resolveReference(root, reference);
    return target === undefined ? null : [negated(target as JsonSchema)];
  },
  allOf: (schemas: readonly JsonSchema[]) => schemas.map(negated),
  anyOf: (schemas: readonly JsonSchema[]) => [{ allOf: schemas.map(negated) }],
  oneOf: (schemas: readonly JsonSchema[]) =>
    schemas.length > MAX_OPTIONS
      ? null
      : [
          { allOf: schemas.map(negated) },
          ...schemas.flatMap((one, index) => schemas.slice(index + 1).map((other) => ({ allOf: [one, other] }))),
        ],
  not: (schema: JsonSchema) => [schema],
  if: (condition: JsonSchema, { then, else: otherwise }) => [
    ...(then === undefined ? [] : [{ allOf: [condition, negated(then as JsonSchema)] }]),
    ...(otherwise === undefined ? [] : [{ allOf: [negated(condition), negated(otherwise as JsonSchema)] }]),
  ],
  minimum: (value: number, { exclusiveMinimum }) => [
    { type: 'number', [exclusiveMinimum === true ? 'maximum' : 'exclusiveMaximum']: value },
  ],
  maximum: (value: number, { exclusiveMaximum }) => [
    { type: 'number', [exclusiveMaximum === true ? 'minimum' : 'exclusiveMinimum']: value },
  ],
  exclusiveMinimum: (value: unknown) => (typeof value === 'number' ? [{ type: 'number', maximum: value }] : []),
  exclusiveMaximum: (value: unknown) => (typeof value === 'number' ? [{ type: 'number', minimum: value }] : []),
  multipleOf: () => null,
  minLength: below('string', 'maxLength'),
  maxLength: above('string', 'minLength'),
  pattern: (pattern: string) => [{ type: 'string', not: { pattern } }],
  // The grammars of formats leave out some valid texts, so that other texts are not known to be invalid.
  format: onlyIf(
    (format) => !Object.hasOwn(FORMAT_PATTERNS, String(format)) && !Object.hasOwn(NUMBER_FORMATS, String(format)),
  ),
  minItems: below('array', 'maxItems'),
  maxItems: above('array', 'minItems'),
  items: (value: unknown, schema, root) =>
    schema['prefixItems'] === undefined
      ? eachItem(value as never, schema, root)
      : unlessTrue(value as never, schema, root),
  prefixItems: eachItem,
  additionalItems: unlessTrue,
  contains: (schema: JsonSchema, { minContains = 1, maxContains }) =>
    minContains === 1 && maxContains === undefined ? [{ type: 'array', items: negated(schema) }] : null,
  uniqueItems: onlyIf((value) => value === false),
  unevaluatedItems: unlessTrue,
  minProperties: below('object', 'maxProperties'),
  maxProperties: above('object', 'minProperties'),
  required: (names: readonly string[]) => names.map((name) => ({ type: 'object', properties: { [name]: false } })),
  properties: (schemas: Readonly<Record<string, JsonSchema>>) =>
    Object.entries(schemas).map(([name, schema]) => ({
      type: 'object',
      properties: { [name]: negated(schema) },
      required: [name],
    })),
  patternProperties: unlessEmpty,
  additionalProperties: unlessTrue,
  propertyNames: unlessTrue,
  unevaluatedProperties: unlessTrue,
  dependentRequired: dependents,
  dependentSchemas: dependents,
  dependencies: dependents,
  $dynamicRef: () => null,
  $recursiveRef: () => null,
};

/** Returns schemas for all values but some; null if an array or an object is among these. */
function otherValues(values: readonly unknown[]): readonly JsonSchema[] | null {
  if (values.some((value) => typeof value === 'object' && value !== null)) return null;
  const present = new Set(values.map((value) => (value === null ? 'null' : typeof value)));
  const texts = values.filter((value) => typeof value === 'string');
  const numbers = values.filter((value) => typeof value === 'number').toSorted((one, other) => one - other);
  return [
    { type: TYPES.filter((type) => !present.has(type as 'null')) },
    ...(present.has('boolean')
      ? [true, false].filter((one) => !values.includes(one)).map((one) => ({ type: 'boolean', const: one }))
      : []),
    ...(texts.length > 0 ? [{ type: 'string', not: { enum: texts } }] : []),
    ...(numbers.length > 0 ? [{ type: 'number', exclusiveMaximum: numbers[0] }] : []),
    ...numbers.map((number, index) => ({
      type: 'number',
      exclusiveMinimum: number,
      ...(index + 1 < numbers.length ? { exclusiveMaximum: numbers[index + 1] } : {}),
    })),
  ];
}
