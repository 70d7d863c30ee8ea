import { expect, test } from 'vitest';
import { matchesSchema } from '../../../src/engine-worker/grammar/json-schema/matches-schema.ts';
import type { JsonSchema } from '../../../src/shared/engine/completion-request.ts';
import { validator } from '../../schema-proof/validator.ts';
import { when } from '../../schema-proof/server-tools/schema-parts.ts';

const text = { type: 'string' };

/** Schemas of keywords that a grammar may leave to the check, with values of which some are valid. */
const LEFT: readonly (readonly [schema: JsonSchema, values: readonly unknown[]])[] = [
  [
    { uniqueItems: true },
    [
      [1, 2],
      [1, 1],
      [
        { a: 1, b: 2 },
        { b: 2, a: 1 },
      ],
      [1, '1'],
      [[1], [1]],
      'aa',
    ],
  ],
  [{ contains: { type: 'integer' } }, [[], ['a'], ['a', 1], 'a']],
  [{ contains: text, minContains: 2, maxContains: 3 }, [['a'], ['a', 'b', 1], ['a', 'b', 'c', 'd']]],
  [{ contains: text, minContains: 0 }, [[], [1]]],
  [{ not: { required: ['a', 'b'] } }, [{ a: 1 }, { a: 1, b: 2 }, 3]],
  [
    when({ properties: { kind: { const: 'x' } }, required: ['kind'] }, { required: ['y'] }, { required: ['z'] }),
    [{ kind: 'x', y: 1 }, { kind: 'x' }, { kind: 'w', z: 1 }, { z: 1 }, {}],
  ],
  [when({ type: 'string' }, { minLength: 2 }), ['a', 'ab', 1]],
  [{ allOf: [{ properties: { a: text } }], unevaluatedProperties: false }, [{ a: 'x' }, { a: 'x', b: 1 }]],
  [
    {
      anyOf: [{ properties: { a: text }, required: ['a'] }, { properties: { b: text } }],
      unevaluatedProperties: { type: 'null' },
    },
    [{ a: 'x', b: 'y' }, { a: 'x', c: null }, { b: 'y', a: 1 }, { c: 1 }],
  ],
  [{ $ref: '#/$defs/t', $defs: { t: { prefixItems: [text] } }, unevaluatedItems: false }, [['a'], ['a', 1]]],
  [{ dependentSchemas: { a: { properties: { b: text } } }, unevaluatedProperties: false }, [{ a: 1 }, {}, { b: 'x' }]],
  [{ $ref: 'inner', $defs: { i: { $id: 'inner', items: { $ref: '#/$defs/j' }, $defs: { j: text } } } }, [['a'], [1]]],
];

test.each(LEFT)('%j is checked as another validator does', (schema, values) => {
  const validate = validator(schema)!;
  const expected = values.map((value) => validate(value));
  expect(values.map((value) => matchesSchema(schema, schema, value))).toEqual(expected);
});

test('a schema that refers to itself without describing anything says nothing', () => {
  expect(matchesSchema({ $ref: '#' }, { $ref: '#' }, 1)).toBe(true);
});
