import { describeValue, quote } from '../../shared/describe-value.ts';
import { findPatternProblem } from './find-pattern-problem.ts';
import type { ValueKind } from '../../shared/json-schema/keywords.ts';
import { resolveReference } from '../../shared/json-schema/resolve-reference.ts';
import { isSchemaObject } from '../../shared/json-schema/schema-object.ts';

/**
 * Checks the value of a keyword, without the schemas inside it.
 * @returns the rest of a sentence whose subject is the keyword; null if the value is valid.
 */
type ValueCheck = (value: unknown, root: unknown) => string | null;

const TYPES = ['array', 'boolean', 'integer', 'null', 'number', 'object', 'string'];

/** The grammar compiler counts with 32-bit integers. */
const MAX_COUNT = 2 ** 31 - 1;

const must =
  (expected: string, fits: (value: unknown) => boolean): ValueCheck =>
  (value) =>
    fits(value) ? null : `must be ${expected}, but it is ${describeValue(value)}`;

const anything = () => null;
const text = must('a string', (value) => typeof value === 'string');
const list = must('a non-empty array', (value) => Array.isArray(value) && value.length > 0);
const named = must('an object of schemas', isSchemaObject);

const pattern: ValueCheck = (value, root) => {
  if (typeof value !== 'string') return text(value, root);
  const problem = findPatternProblem(value);
  return problem && `${problem}: ${quote(value)}`;
};

/** Checks `$ref`, which must refer to a schema inside the same document. */
const reference: ValueCheck = (value, root) => {
  if (typeof value !== 'string') return text(value, root);
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

/** A check for each kind of value. */
export const VALUE_CHECKS: Readonly<Record<ValueKind, ValueCheck>> = {
  anything,
  types(value) {
    const types: readonly unknown[] = Array.isArray(value) ? value : [value];
    const unknown = types.find((one) => !TYPES.includes(one as string));
    if (types.length > 0 && unknown === undefined) return null;
    return `must be one of ${TYPES.join(', ')}, or an array of them, but it is ${describeValue(unknown ?? value)}`;
  },
  values: list,
  strings: must(
    'an array of strings',
    (value) => Array.isArray(value) && value.every((one) => typeof one === 'string'),
  ),
  string: text,
  pattern,
  reference,
  boolean: must('true or false', (value) => typeof value === 'boolean'),
  number: must('a number', (value) => typeof value === 'number' && Number.isFinite(value)),
  'positive number': must('a number above 0', (value) => typeof value === 'number' && value > 0),
  count: must(
    `a whole number from 0 to ${MAX_COUNT}`,
    (value) => Number.isInteger(value) && (value as number) >= 0 && (value as number) <= MAX_COUNT,
  ),
  schema: anything,
  'string schema'(value) {
    const { type = 'string' } = isSchemaObject(value) ? value : {};
    return type === 'string' ? null : 'must be a schema for strings';
  },
  'list of schemas': list,
  'schema or list of schemas': (value, root) => (Array.isArray(value) ? list(value, root) : null),
  'named schemas': named,
  'pattern schemas'(value, root) {
    const problems = isSchemaObject(value) ? Object.keys(value).map((name) => pattern(name, root)) : [];
    const problem = problems.find((one) => one !== null);
    return problem === undefined ? named(value, root) : `has a pattern that ${problem}`;
  },
  definitions: named,
  'dependency schemas': named,
};
