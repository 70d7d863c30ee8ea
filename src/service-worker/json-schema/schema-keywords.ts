import { describeValue, quote } from '../../shared/describe-value.ts';
import { findPatternProblem } from './find-pattern-problem.ts';
import { isSchemaObject, resolveReference } from '../../shared/json-schema/schema-object.ts';

/**
 * Checks the value of a keyword and passes schemas inside it to `visit`, with their path below the keyword.
 * @returns the rest of a sentence whose subject is the keyword; null if the value is valid.
 */
type KeywordCheck = (value: unknown, visit: (inner: unknown, place: string) => void, root: unknown) => string | null;

const TYPES = ['array', 'boolean', 'integer', 'null', 'number', 'object', 'string'];

/** The grammar compiler counts with 32-bit integers. */
const HIGHEST_COUNT = 2 ** 31 - 1;

const must =
  (expected: string, fits: (value: unknown) => boolean): KeywordCheck =>
  (value) =>
    fits(value) ? null : `must be ${expected}, but it is ${describeValue(value)}`;

const number = must('a number', (value) => typeof value === 'number' && Number.isFinite(value));
const positive = must('a number above 0', (value) => typeof value === 'number' && value > 0);
const text = must('a string', (value) => typeof value === 'string');
const flag = must('true or false', (value) => typeof value === 'boolean');
const texts = must(
  'an array of strings',
  (value) => Array.isArray(value) && value.every((one) => typeof one === 'string'),
);
const values = must('a non-empty array', (value) => Array.isArray(value) && value.length > 0);
const count = must(
  `a whole number from 0 to ${HIGHEST_COUNT}`,
  (value) => Number.isInteger(value) && (value as number) >= 0 && (value as number) <= HIGHEST_COUNT,
);

const schema: KeywordCheck = (value, visit) => {
  visit(value, '');
  return null;
};

const schemaOrFalse: KeywordCheck = (value, visit, root) => (value === false ? null : schema(value, visit, root));

/** One schema for all items or, as in draft 7, an array with one schema per item. */
const schemaOrTuple: KeywordCheck = (value, visit, root) =>
  (Array.isArray(value) ? schemas : schemaOrFalse)(value, visit, root);

const schemas: KeywordCheck = (value, visit) => {
  if (!Array.isArray(value) || value.length === 0)
    return `must be a non-empty array, but it is ${describeValue(value)}`;
  value.forEach((inner, index) => visit(inner, `/${index}`));
  return null;
};

const namedSchemas: KeywordCheck = (value, visit) => {
  if (!isSchemaObject(value)) return `must be an object of schemas, but it is ${describeValue(value)}`;
  for (const [name, inner] of Object.entries(value)) visit(inner, `/${name}`);
  return null;
};

const pattern: KeywordCheck = (value) => {
  if (typeof value !== 'string') return `must be a string, but it is ${describeValue(value)}`;
  const problem = findPatternProblem(value);
  return problem && `${problem}: ${quote(value)}`;
};

const patternProperties: KeywordCheck = (value, visit, root) => {
  for (const name of isSchemaObject(value) ? Object.keys(value) : []) {
    const problem = pattern(name, visit, root);
    if (problem !== null) return `has a pattern that ${problem}`;
  }
  return namedSchemas(value, visit, root);
};

const propertyNames: KeywordCheck = (value, visit, root) => {
  const { type = 'string' } = isSchemaObject(value) ? value : {};
  return type === 'string' ? schema(value, visit, root) : 'must be a schema for strings';
};

const type: KeywordCheck = (value) => {
  const types: readonly unknown[] = Array.isArray(value) ? value : [value];
  const unknown = types.find((one) => !TYPES.includes(one as string));
  if (types.length > 0 && unknown === undefined) return null;
  return `must be one of ${TYPES.join(', ')}, or an array of them, but it is ${describeValue(unknown ?? value)}`;
};

/** Checks `$ref`, which must refer to a schema inside the same document. */
const reference: KeywordCheck = (value, _visit, root) => {
  if (typeof value !== 'string') return `must be a string, but it is ${describeValue(value)}`;
  const passed = new Set<string>();
  for (let next: unknown = value; typeof next === 'string';) {
    if (passed.has(next)) return `refers to itself: ${quote(value)}`;
    passed.add(next);
    const target = resolveReference(root, next);
    if (!isSchemaObject(target) && target !== true) return `leads to no schema: ${quote(value)}`;
    next = isSchemaObject(target) ? target.$ref : undefined;
  }
  return null;
};

/** The keywords that are checked. Others are ignored, as the JSON Schema specification requires. */
export const SCHEMA_KEYWORDS: Readonly<Record<string, KeywordCheck>> = {
  type,
  enum: values,
  $ref: reference,
  dependentSchemas: namedSchemas,
  $defs: namedSchemas,
  definitions: namedSchemas,
  properties: namedSchemas,
  patternProperties,
  additionalProperties: schemaOrFalse,
  unevaluatedProperties: schemaOrFalse,
  propertyNames,
  required: texts,
  minProperties: count,
  maxProperties: count,
  items: schemaOrTuple,
  additionalItems: schemaOrFalse,
  prefixItems: schemas,
  unevaluatedItems: schemaOrFalse,
  contains: schema,
  minItems: count,
  maxItems: count,
  uniqueItems: flag,
  allOf: schemas,
  anyOf: schemas,
  oneOf: schemas,
  not: schema,
  minimum: number,
  maximum: number,
  exclusiveMinimum: number,
  exclusiveMaximum: number,
  multipleOf: positive,
  pattern,
  format: text,
  minLength: count,
  maxLength: count,
};
