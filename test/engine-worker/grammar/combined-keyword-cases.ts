import { when } from '../../schema-proof/server-tools/schema-parts.ts';
import type { AcceptedValues } from './schema-grammar-cases.ts';

const text = { type: 'string' };
const integer = { type: 'integer' };
const cat = { type: 'object', properties: { kind: { const: 'cat' }, lives: integer }, required: ['kind', 'lives'] };
const dog = { type: 'object', properties: { kind: { const: 'dog' }, name: text }, required: ['kind', 'name'] };
const isCard = { properties: { pay: { const: 'card' } }, required: ['pay'] };

/** Schemas that exclude values, count items or refer to what other schemas describe. */
export const COMBINED_KEYWORDS: readonly AcceptedValues[] = [
  {
    schema: { type: 'string', not: { enum: ['root', 'admin'] }, maxLength: 6 },
    allowed: ['"roots"', '"roo"', '""', '"user"'],
    excluded: ['"root"', '"admin"', '"administrator"'],
  },
  {
    schema: { type: 'string', pattern: '^[a-z_]+$', not: { pattern: '__' } },
    allowed: ['"a_b"', '"_"'],
    excluded: ['"a__b"', '"A"', '""'],
  },
  { schema: { type: 'string', not: { minLength: 3 } }, allowed: ['""', '"ab"'], excluded: ['"abc"'] },
  { schema: { type: 'integer', not: { const: 0 } }, allowed: ['1', '-1', '10'], excluded: ['0', '0.5', '"a"'] },
  {
    schema: { type: 'number', not: { enum: [0.5, 2] }, minimum: 0 },
    allowed: ['0', '0.25', '0.51', '1.5', '3'],
    excluded: ['0.5', '0.50', '2', '2.0', '-1'],
  },
  {
    schema: { type: 'object', properties: { a: { not: { type: ['string', 'null'] } } }, required: ['a'] },
    allowed: ['{"a":1}', '{"a":[]}', '{"a":false}'],
    excluded: ['{"a":"x"}', '{"a":null}', '{}'],
  },
  {
    schema: {
      type: 'object',
      properties: { a: integer, b: integer },
      not: { required: ['a', 'b'] },
    },
    allowed: ['{}', '{"a":1}', '{"b":1}'],
    excluded: ['{"a":1,"b":1}'],
  },
  { schema: { type: 'array', items: text, not: { maxItems: 1 } }, allowed: ['["a","b"]'], excluded: ['[]', '["a"]'] },
  { schema: { type: ['boolean', 'null'], not: { not: { const: true } } }, allowed: ['true'], excluded: ['false'] },
  {
    schema: {
      type: 'object',
      properties: { pay: { enum: ['card', 'cash'] }, number: text, change: integer },
      required: ['pay'],
      ...when(isCard, { required: ['number'] }, { properties: { number: false }, required: ['change'] }),
    },
    allowed: ['{"pay":"card","number":"4"}', '{"pay":"cash","change":2}', '{"pay":"card","number":"4","change":1}'],
    excluded: ['{"pay":"card"}', '{"pay":"cash"}', '{"pay":"cash","number":"4","change":2}'],
  },
  {
    schema: when({ type: 'string' }, { maxLength: 2 }, { type: 'integer', minimum: 5 }),
    allowed: ['"ab"', '5'],
    excluded: ['"abc"', '4', 'null'],
  },
  {
    schema: { oneOf: [integer, { type: 'number' }] },
    allowed: ['0.5', '-12.25', '1.10001'],
    excluded: ['1', '2.0', '"a"'],
  },
  { schema: { oneOf: [integer, text, { type: 'null' }] }, allowed: ['1', '"a"', 'null'], excluded: ['0.5', 'true'] },
  {
    schema: { type: 'string', oneOf: [{ minLength: 3 }, { maxLength: 4 }] },
    allowed: ['"ab"', '"abcde"'],
    excluded: ['"abc"', '"abcd"'],
  },
  { schema: { oneOf: [cat, dog] }, allowed: ['{"kind":"cat","lives":9}'], excluded: ['{"kind":"dog","lives":9}'] },
  {
    schema: {
      type: 'object',
      properties: { id: integer, name: text },
      oneOf: [
        { properties: { id: true }, required: ['id'] },
        { properties: { name: { minLength: 1 } }, required: ['name'] },
      ],
    },
    allowed: ['{"id":1}', '{"name":"a"}', '{"id":1,"name":""}'],
    excluded: ['{}', '{"id":1,"name":"a"}', '{"name":""}'],
  },
  {
    schema: { type: 'array', items: { enum: ['a', 'ab', 3] }, uniqueItems: true },
    allowed: ['[]', '["ab","a"]', '["a",3,"ab"]'],
    excluded: ['["a","a"]', '[3,"ab",3]', '["b"]'],
  },
  {
    schema: {
      type: 'array',
      items: { type: 'integer', minimum: 1, maximum: 6 },
      uniqueItems: true,
      minItems: 2,
      maxItems: 3,
    },
    allowed: ['[1,6]', '[6,2,1]'],
    excluded: ['[1]', '[1,1]', '[1,2,3,4]', '[0,1]'],
  },
  {
    schema: { type: 'array', items: { anyOf: [{ type: 'boolean' }, { type: 'null' }] }, uniqueItems: true },
    allowed: ['[null,true,false]'],
    excluded: ['[true,null,true]'],
  },
  {
    schema: { type: 'array', items: { anyOf: [text, integer] }, contains: integer },
    allowed: ['[1]', '["a",1]', '[1,"a",2]'],
    excluded: ['[]', '["a"]'],
  },
  {
    schema: { type: 'array', items: text, contains: { const: 'x' }, minContains: 2, maxContains: 2, maxItems: 4 },
    allowed: ['["x","x"]', '["x","a","x","xx"]'],
    excluded: ['["x"]', '["x","x","x"]', '["x","x","a","b","c"]'],
  },
  {
    schema: { type: 'array', items: text, contains: { pattern: '^a' }, minContains: 0, maxContains: 1 },
    allowed: ['[]', '["b","ab"]'],
    excluded: ['["a","ab"]'],
  },
  {
    schema: { type: 'array', items: { enum: [1, 2, 3] }, uniqueItems: true, contains: { const: 2 } },
    allowed: ['[2]', '[1,2]', '[3,2,1]'],
    excluded: ['[1,3]', '[2,2]', '[]'],
  },
  {
    schema: {
      $defs: { named: { type: 'object', properties: { name: text }, required: ['name'] } },
      allOf: [{ $ref: '#/$defs/named' }, { properties: { age: integer } }],
      unevaluatedProperties: false,
    },
    allowed: ['{"name":"a"}', '{"name":"a","age":1}'],
    excluded: ['{}', '{"name":"a","b":1}', '{"age":1}'],
  },
  {
    schema: {
      type: 'object',
      properties: { a: integer },
      anyOf: [
        { properties: { b: text }, required: ['b'] },
        { properties: { c: text }, required: ['c'] },
      ],
      unevaluatedProperties: { type: 'null' },
    },
    allowed: ['{"a":1,"b":"x"}', '{"b":"x","d":null}', '{"a":1,"c":"x"}', '{"b":"x","c":"y"}'],
    excluded: ['{"a":1}', '{"b":"x","d":1}'],
  },
  {
    schema: { allOf: [{ properties: { a: integer } }, { type: 'object', unevaluatedProperties: false }] },
    allowed: ['{}'],
    excluded: ['{"a":1}'],
  },
  {
    schema: { type: 'array', allOf: [{ prefixItems: [integer] }], unevaluatedItems: text },
    allowed: ['[1]', '[1,"a"]'],
    excluded: ['[1,2]', '["a"]'],
  },
  {
    schema: {
      $id: 'https://example.com/strict-tree',
      $dynamicAnchor: 'node',
      $ref: 'tree',
      unevaluatedProperties: false,
      $defs: {
        tree: {
          $id: 'https://example.com/tree',
          $dynamicAnchor: 'node',
          type: 'object',
          properties: { data: integer, children: { type: 'array', items: { $dynamicRef: '#node' } } },
        },
      },
    },
    allowed: ['{"children":[{"data":1,"children":[]}]}'],
    excluded: ['{"daat":1}', '{"children":[{"daat":1}]}'],
  },
  {
    schema: { $dynamicRef: '#a', $defs: { a: { $dynamicAnchor: 'a', type: 'null' } } },
    allowed: ['null'],
    excluded: ['1'],
  },
  {
    schema: { type: 'object', properties: { next: { $recursiveRef: '#' } } },
    allowed: ['{"next":{"next":{}}}'],
    excluded: ['{"next":1}'],
  },
];
