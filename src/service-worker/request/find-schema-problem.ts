import { describeValue, quote } from './describe-value.ts';
import { resolvePointer } from './resolve-pointer.ts';

export interface SchemaProblem {
  /** Place within the schema, as a path of keywords joined with slashes; empty for the root. */
  readonly path: string;
  /** What is wrong there, as the rest of a sentence that begins with the path. */
  readonly text: string;
}

type Schema = Readonly<Record<string, unknown>>;

/** Looks at one keyword's value; the schemas inside it are handed to `visit`. */
type KeywordCheck = (value: unknown, visit: (inner: unknown, step: string) => void, root: unknown) => string | null;

const TYPES = ['array', 'boolean', 'integer', 'null', 'number', 'object', 'string'];

/** Deeper nesting is refused: it has no use, and every recursive reader behind us has a finite stack. */
const DEEPEST = 64;

const isObject = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isCount = (value: unknown): boolean => Number.isInteger(value) && (value as number) >= 0;

const must = (expected: string, fits: (value: unknown) => boolean): KeywordCheck => (value) =>
  fits(value) ? null : `must be ${expected}, but it is ${describeValue(value)}`;

const number = must('a number', (value) => typeof value === 'number' && Number.isFinite(value));
const count = must('a whole number from 0', isCount);
const text = must('a string', (value) => typeof value === 'string');
const flag = must('true or false', (value) => typeof value === 'boolean');
const texts = must('an array of strings', (value) => Array.isArray(value) && value.every((one) => typeof one === 'string'));

const schema: KeywordCheck = (value, visit) => {
  visit(value, '');
  return null;
};

const schemaOrFalse: KeywordCheck = (value, visit, root) => (value === false ? null : schema(value, visit, root));

const schemas: KeywordCheck = (value, visit) => {
  if (!Array.isArray(value) || value.length === 0) return `must be a non-empty array, but it is ${describeValue(value)}`;
  value.forEach((inner, index) => visit(inner, `/${index}`));
  return null;
};

const namedSchemas: KeywordCheck = (value, visit) => {
  if (!isObject(value)) return `must be an object of schemas, but it is ${describeValue(value)}`;
  for (const [name, inner] of Object.entries(value)) visit(inner, `/${name}`);
  return null;
};

const type: KeywordCheck = (value) => {
  const types: readonly unknown[] = Array.isArray(value) ? value : [value];
  const unknown = types.find((one) => !TYPES.includes(one as string));
  if (types.length > 0 && unknown === undefined) return null;
  return `must be one of ${TYPES.join(', ')}, or an array of them, but it is ${describeValue(unknown ?? value)}`;
};

const pattern: KeywordCheck = (value) => {
  if (typeof value !== 'string') return `must be a string, but it is ${describeValue(value)}`;
  try {
    void new RegExp(value);
    return null;
  } catch {
    return `is not a regular expression: ${quote(value)}`;
  }
};

/** A local reference must lead to a schema; others are outside the subset and stay without effect. */
const reference: KeywordCheck = (value, _visit, root) => {
  if (typeof value !== 'string') return `must be a string, but it is ${describeValue(value)}`;
  const passed = new Set<string>();
  for (let pointer: unknown = value; typeof pointer === 'string' && pointer.startsWith('#'); ) {
    if (passed.has(pointer)) return `refers to itself: ${quote(value)}`;
    passed.add(pointer);
    const target = resolvePointer(root, pointer.slice(1));
    if (!isObject(target) && target !== true) return `leads to no schema: ${quote(value)}`;
    pointer = isObject(target) ? target.$ref : undefined;
  }
  return null;
};

const KEYWORDS: Readonly<Record<string, KeywordCheck>> = {
  type,
  enum: must('a non-empty array', (value) => Array.isArray(value) && value.length > 0),
  $ref: reference,
  $defs: namedSchemas,
  definitions: namedSchemas,
  properties: namedSchemas,
  patternProperties: namedSchemas,
  additionalProperties: schemaOrFalse,
  unevaluatedProperties: schemaOrFalse,
  propertyNames: schema,
  required: texts,
  minProperties: count,
  maxProperties: count,
  items: schemaOrFalse,
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
  multipleOf: must('a number above 0', (value) => typeof value === 'number' && value > 0),
  pattern,
  format: text,
  minLength: count,
  maxLength: count,
};

const PAIRS = [
  ['minimum', 'maximum'],
  ['minLength', 'maxLength'],
  ['minItems', 'maxItems'],
  ['minProperties', 'maxProperties'],
] as const;

/** The first thing that makes `root` no valid JSON Schema, or one that no text could follow; else null. */
export function findSchemaProblem(root: unknown): SchemaProblem | null {
  if (nestsDeeperThan(root, DEEPEST)) return { path: '', text: `is nested more than ${DEEPEST} levels deep` };

  function search(schema: unknown, path: string): SchemaProblem | null {
    if (schema === true) return null;
    if (schema === false) return { path, text: 'is false, which no value can meet' };
    if (!isObject(schema)) return { path, text: `must be a schema, but it is ${describeValue(schema)}` };

    for (const [keyword, value] of Object.entries(schema)) {
      if (!Object.hasOwn(KEYWORDS, keyword)) continue;
      const place = `${path}/${keyword}`;
      let inside: SchemaProblem | null = null;
      const text = KEYWORDS[keyword]!(value, (inner, step) => (inside ??= search(inner, place + step)), root);
      if (text !== null) return { path: place, text };
      if (inside !== null) return inside;
    }
    const crossed = PAIRS.find(([least, most]) => (schema[least] as number) > (schema[most] as number));
    return crossed === undefined ? null : { path: `${path}/${crossed[0]}`, text: `is above \`${crossed[1]}\`` };
  }

  return search(root, '');
}

/** Without recursion, so that it can look at what recursion could not. */
function nestsDeeperThan(root: unknown, deepest: number): boolean {
  let level: unknown[] = [root];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > deepest) return true;
    level = level.flatMap((value) => (typeof value === 'object' && value !== null ? Object.values(value) : []));
  }
  return false;
}
