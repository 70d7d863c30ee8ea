import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { findSchemaProblem } from '../../../src/shared/json-schema/find-schema-problem.ts';
import { compiles } from './grammar-compiler.ts';
import { VALID_SCHEMAS } from './json-schema-cases.ts';

// The compiler warns of every keyword that it does not enforce.
beforeAll(() => {
  for (const method of ['log', 'warn', 'error'] as const) vi.spyOn(console, method).mockImplementation(() => undefined);
});
afterAll(() => void vi.restoreAllMocks());

test.each(VALID_SCHEMAS)('the grammar compiler takes %j', async (schema) => {
  expect(await compiles(schema)).toBe(true);
});

test('it aborts on what is no schema, which is why schemas are checked before', async () => {
  expect(await compiles({ type: 'hiccup' })).toBe(false);
  expect(await compiles({ type: 'object' })).toBe(true);
});

const count = fc.constantFrom(0, 1, 2, 3, 50, 2 ** 31 - 1, 2 ** 31, -1, 1.5);
const bound = fc.constantFrom(-2, -1, 0, 1, 2, 3, 1.5, 0.1, 1e20, -1e9);
const name = fc.constantFrom('a', 'b', 'two words', 'é😀', '"', '\\', '', '\t', '\n', '__proto__', '$ref', '\ud800');
const reference = fc.constantFrom(
  '#',
  '#/$defs/a',
  '#/$defs/two words',
  '#/properties/a',
  '#/items',
  '#/anyOf/0',
  '#/',
  '#a',
  'https://x.test/y',
);
const type = fc.constantFrom(
  'object',
  'array',
  'string',
  'integer',
  'number',
  ['string', 'null'],
  ['integer', 'number'],
  ['object', 'array'],
);
const PATTERN_PIECES = [
  [
    'a',
    'é',
    '😀',
    '^',
    '$',
    '.',
    '*',
    '+',
    '?',
    '|',
    '(',
    ')',
    '(?:',
    '(?<n>',
    '(?=',
    '(?<!',
    '{2}',
    '{1,}',
    '-',
    '/',
    '"',
    '\n',
  ],
  [
    '\\d',
    '\\W',
    '\\s',
    '\\.',
    '\\/',
    '\\\\',
    '\\n',
    '\\0',
    '\\b',
    '\\1',
    '\\p{L}',
    '\\cA',
    '\\x41',
    '\\u0041',
    '\\u{1F600}',
  ],
  ['[a-z]', '[^a]', '[^]', '[]', '[\\d.]', '[a\\]]', '[\\-a]', '[\\p{L}]', '[\n]', '[^"\\\\]', '[\\u0041-\\u{1F600}]'],
].flat();
const pattern = fc.array(fc.constantFrom(...PATTERN_PIECES), { maxLength: 6 }).map((pieces) => pieces.join(''));

const { schema } = fc.letrec<{ schema: unknown }>((tie) => {
  const inner = tie('schema');
  const some = { minLength: 1, maxLength: 2 };
  const few = { maxKeys: 2 };
  const keywords = {
    type,
    enum: fc.array(fc.constantFrom(1, 'a', null, '"\\\n', { a: [1] }, '\ud800'), some),
    const: fc.constantFrom(1e-9, 'x', null, ['a']),
    $ref: reference,
    $defs: fc.dictionary(fc.constantFrom('a', 'two words'), inner, few),
    properties: fc.dictionary(name, inner, few),
    patternProperties: fc.dictionary(pattern, inner, few),
    ...Object.fromEntries(
      [
        'additionalProperties',
        'unevaluatedProperties',
        'propertyNames',
        'items',
        'unevaluatedItems',
        'contains',
        'not',
      ].map((keyword) => [keyword, inner]),
    ),
    ...Object.fromEntries(
      ['prefixItems', 'anyOf', 'oneOf', 'allOf'].map((keyword) => [keyword, fc.array(inner, some)]),
    ),
    ...Object.fromEntries(
      ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'].map((keyword) => [keyword, bound]),
    ),
    ...Object.fromEntries(
      ['minLength', 'maxLength', 'minItems', 'maxItems', 'minProperties', 'maxProperties'].map((keyword) => [
        keyword,
        count,
      ]),
    ),
    required: fc.array(name, { maxLength: 3 }),
    pattern,
    format: fc.constantFrom('date-time', 'email', 'uuid', 'uri', 'unknown'),
  };
  const entry = fc.oneof(
    ...Object.entries<fc.Arbitrary<unknown>>(keywords).map(([keyword, value]) => fc.tuple(fc.constant(keyword), value)),
  );
  const depth = { maxDepth: 3, depthIdentifier: 'schema' };
  return {
    schema: fc.oneof(
      depth,
      { weight: 1, arbitrary: fc.boolean() },
      {
        weight: 8,
        arbitrary: fc
          .array(entry, { maxLength: 4, depthIdentifier: 'schema' })
          .map((entries) => Object.fromEntries(entries)),
      },
    ),
  };
});

test('no schema that passes the check makes the grammar compiler abort', async () => {
  await fc.assert(
    fc.asyncProperty(schema, async (candidate) => {
      fc.pre(findSchemaProblem(candidate) === null);
      expect(await compiles(candidate)).toBe(true);
    }),
    { seed: 20_261_121, numRuns: 500, maxSkipsPerRun: 20 },
  );
}, 120_000);
