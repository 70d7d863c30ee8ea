import type { JsonSchema } from '../../../src/shared/engine/completion-request.ts';

export interface AcceptedValues {
  readonly schema: JsonSchema;
  readonly allowed: readonly string[];
  readonly excluded: readonly string[];
}

/** Schemas with JSON texts that their grammars allow and exclude. */
export const ACCEPTED_VALUES: readonly AcceptedValues[] = [
  ...[
    { keyword: { contentEncoding: 'base64' }, value: '"a"' },
    { keyword: { maxLength: 3 }, value: '"a"' },
    { keyword: { maximum: 3 }, value: '2' },
    { keyword: { items: { type: 'integer' } }, value: '[2]' },
    { keyword: { maxItems: 1 }, value: '[2]' },
    { keyword: { required: ['a'] }, value: '{"a":1}' },
  ].map(({ keyword, value }) => ({
    schema: { type: 'object', properties: { described: keyword, any: {} } },
    allowed: [`{"described":${value}}`, ...['null', '"a"', '2', '[2]', '{"a":1}'].map((any) => `{"any":${any}}`)],
    excluded: ['null', '"a"', '2', '[2]', '{"a":1}'].flatMap((other) =>
      other === value ? [] : [`{"described":${other}}`],
    ),
  })),
  {
    schema: { type: 'string', pattern: '^a|b$' },
    allowed: ['"a "', '"b"', '"a\\""'],
    excluded: ['"c"', '"a ', '"a"]'],
  },
  {
    schema: { type: 'string', pattern: '^.{3}$' },
    allowed: ['"é漢😀"', '"\\"\\\\a"'],
    excluded: ['"ab"', '"a"b"', '"a\nb"', '"\u2028ab"'],
  },
  { schema: { type: 'string', pattern: '^[à-ï一-龥]$' }, allowed: ['"é"', '"漢"'], excluded: ['"a"', '"ÿ"', '"あ"'] },
  { schema: { type: 'string', pattern: '^[a-z]+$', maxLength: 3 }, allowed: ['"abc"'], excluded: ['"abcd"', '""'] },
  { schema: { type: 'string', pattern: '^(?!\\.)(?=.*@)[a-z.@]+$' }, allowed: ['"a@b"'], excluded: ['".a@b"', '"ab"'] },
  {
    schema: { type: 'string', pattern: '^[\\w-\\.]+@([\\w-]+\\.)+[\\w-]{2,4}$' },
    allowed: ['"a.b-c@d-e.org"', '"-@-.a-b"'],
    excluded: ['"a b@c.de"', '"a+b@c.de"', '"a,b@c.de"', '"/@c.de"'],
  },
  {
    schema: { type: 'string', pattern: '^[\\.-\\w][\\_-\\d][\\+-\\s\\(-\\d]$' },
    allowed: ['".--"', '"a_+"', '"-5("', '"-- "'],
    excluded: ['"/-+"', '"aa+"', '"..+"', '".-,"'],
  },
  {
    schema: { type: 'string', pattern: '^[+-\\d\\\\w-z]$' },
    allowed: ['"+"', '"-"', '"5"', '"x"', '"\\\\"'],
    excluded: ['","', '"v"'],
  },
  {
    schema: { type: 'string', minLength: 2, maxLength: 2 },
    allowed: ['"😀a"', '"\\n\\t"', '"\\"\\\\"'],
    excluded: ['"😀"', '"\\ud83da"', '"\\u0041b"', '"a\n"'],
  },
  {
    schema: { type: 'integer', minimum: -5 },
    allowed: ['-5', '-1', '0', '7', '1234'],
    excluded: ['-6', '-', '-10', '1.5', '01'],
  },
  { schema: { type: 'integer', minimum: 1.5, maximum: 3.5 }, allowed: ['2', '3'], excluded: ['1', '4', '1.5'] },
  { schema: { type: 'array', minItems: 1 }, allowed: ['[1]', '["a",null]'], excluded: ['[]'] },
  { schema: { type: 'integer', minimum: 2 }, allowed: ['2', '10', '123456'], excluded: ['1', '0', '-3'] },
  {
    schema: { type: 'integer', exclusiveMinimum: 9, maximum: 120 },
    allowed: ['10', '99', '120'],
    excluded: ['9', '121', '1000'],
  },
  { schema: { type: 'integer', multipleOf: 3, minimum: 0 }, allowed: ['0', '3', '12', '999'], excluded: ['1', '13'] },
  { schema: { type: 'number', minimum: 0 }, allowed: ['0', '0.5', '12.25'], excluded: ['-0.5', '-1'] },
  {
    schema: { type: 'number', minimum: 0, maximum: 1 },
    allowed: ['0', '1', '1.0', '0.55'],
    excluded: ['1.11', '2', '-0.1'],
  },
  {
    schema: { type: 'number', exclusiveMinimum: -0.25, exclusiveMaximum: 1.5 },
    allowed: ['-0.2', '1.49', '0'],
    excluded: ['-0.25', '1.5', '1.50'],
  },
  { schema: { type: 'string', format: 'phone' }, allowed: ['"a"', '""'], excluded: ['1'] },
  {
    schema: { $ref: 'part#end', $defs: { 'a/b': { $id: 'part', $defs: { c: { $anchor: 'end', type: 'null' } } } } },
    allowed: ['null'],
    excluded: ['1'],
  },
  {
    schema: {
      $id: 'urn:example:root',
      type: 'array',
      items: { $ref: '#item' },
      $defs: { i: { $id: '#item', const: 1 } },
    },
    allowed: ['[1]'],
    excluded: ['[2]'],
  },
  { schema: { properties: { a: { minimum: 3 } } }, allowed: ['1', '{"b":1}', '{"a":"x"}'], excluded: ['{"a":2}'] },
  { schema: { prefixItems: [{ type: 'null' }] }, allowed: ['[]', '[null,1]'], excluded: ['[1]'] },
  { schema: { type: 'integer', multipleOf: 1e-8 }, allowed: ['0', '12391239123'], excluded: ['0.5'] },
  {
    schema: { type: 'integer', multipleOf: 0.5, maximum: 1e6 },
    allowed: ['-7', '1000000'],
    excluded: ['1000001', '0.5'],
  },
  { schema: { type: 'number', multipleOf: 0.01, minimum: 0 }, allowed: ['1.25', '3'], excluded: ['1.255', '-1'] },
  {
    schema: { type: 'object', propertyNames: { type: 'string' }, additionalProperties: { type: 'number' } },
    allowed: ['{}', '{"a":1,"b":2.5}'],
    excluded: ['{"a":"x"}', '{"a":true}'],
  },
  {
    schema: { type: 'object', properties: { a: { type: 'integer' } }, additionalProperties: { type: 'string' } },
    allowed: ['{"a":1,"b":"x"}', '{"ab":"x"}'],
    excluded: ['{"a":"x"}', '{"b":1}'],
  },
  {
    schema: {
      type: 'object',
      properties: { n: { type: 'null' } },
      required: ['n'],
      patternProperties: { '^x_': { type: 'integer' } },
      additionalProperties: false,
    },
    allowed: ['{"n":null}', '{"n":null, "x_1": 2}'],
    excluded: ['{}', '{"x_1":2}', '{"n":null,"y":1}', '{"n":null,"x_1":"a"}'],
  },
  {
    schema: {
      allOf: [
        { type: 'object', properties: { a: { type: 'integer' } }, required: ['a'] },
        { properties: { a: { minimum: 3 }, b: { type: 'null' } }, required: ['b'] },
      ],
    },
    allowed: ['{"a":3,"b":null}'],
    excluded: ['{"a":2,"b":null}', '{"a":3}', '{}'],
  },
  {
    schema: {
      type: 'object',
      properties: { a: { type: 'null' }, b: { type: 'null' } },
      anyOf: [{ required: ['a'] }, { required: ['b'] }],
    },
    allowed: ['{"a":null}', '{"b":null}', '{"a":null,"b":null}'],
    excluded: ['{}'],
  },
  {
    schema: {
      type: 'object',
      properties: { a: { type: 'null' }, b: { type: 'null' } },
      dependentRequired: { a: ['b'] },
    },
    allowed: ['{}', '{"b":null}', '{"a":null,"b":null}'],
    excluded: ['{"a":null}'],
  },
  {
    schema: { $ref: '#/$defs/S', const: 'a', $defs: { S: { type: 'string', maxLength: 6 } } },
    allowed: ['"a"'],
    excluded: ['"b"'],
  },
  { schema: { enum: ['a', 1, null], type: ['string', 'null'] }, allowed: ['"a"', 'null'], excluded: ['1'] },
  {
    schema: { $ref: '#/$defs/a~1b/anyOf/1', $defs: { 'a/b': { anyOf: [{}, { type: 'null' }] } } },
    allowed: ['null'],
    excluded: ['1'],
  },
  {
    schema: { type: 'array', items: [{ type: 'null' }, { type: 'boolean' }] },
    allowed: ['[null,true]', '[ null, false ]'],
    excluded: ['[]', '[null]', '[null,true,1]'],
  },
  {
    schema: { type: 'object', properties: { 'say "hi"\n': { type: 'null' } }, required: ['say "hi"\n'] },
    allowed: ['{"say \\"hi\\"\\n":null}'],
    excluded: ['{}'],
  },
  {
    schema: { type: 'object', properties: { next: { anyOf: [{ $ref: '#' }, { type: 'null' }] } }, required: ['next'] },
    allowed: ['{"next":{"next":null}}'],
    excluded: ['{}', '{"next":1}'],
  },
];

/** Schemas that are refused, and the path of the unsupported part. */
export const REFUSED_SCHEMAS: readonly (readonly [schema: JsonSchema, path: string])[] = [
  [{ type: 'array', items: { type: 'integer' }, uniqueItems: true }, '/uniqueItems'],
  [
    { type: 'array', items: { enum: ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k'] }, uniqueItems: true },
    '/uniqueItems',
  ],
  [{ properties: { a: { not: { format: 'email' } } } }, '/properties/a/not'],
  [{ properties: { a: { not: { properties: { b: { multipleOf: 2 } } } } } }, '/properties/a/not'],
  [{ if: { properties: { a: { items: { format: 'date' } } } }, else: { required: ['b'] } }, '/if'],
  [{ type: 'array', contains: { multipleOf: 3 } }, '/contains'],
  [{ allOf: [{ contains: { const: 1 } }, { contains: { const: 2 } }], type: 'array' }, '/allOf/1/contains'],
  [{ type: 'array', contains: { const: 1 }, maxItems: 5000 }, '/contains'],
  [{ $dynamicRef: '#a' }, '/$dynamicRef'],
  [{ type: 'string', oneOf: [{ format: 'ipv4' }, { format: 'hostname' }] }, '/oneOf'],
  [{ not: { $ref: '#' } }, '/not'],
  [{ type: 'string', pattern: '(?<=a)b' }, '/pattern'],
  [{ type: 'string', pattern: '\\bfoo' }, '/pattern'],
  [{ type: 'string', pattern: '(a)\\1' }, '/pattern'],
  [{ $ref: 'https://elsewhere.test/schema.json' }, '/$ref'],
  [{ type: 'object', additionalProperties: true, minProperties: 2 }, '/minProperties'],
  [{ type: 'object', properties: { next: { $ref: '#' } }, required: ['next'] }, ''],
  [{ $ref: '#/$defs/a', $defs: { a: { anyOf: [{ $ref: '#/$defs/a' }, { type: 'null' }] } } }, '/$ref/anyOf/0/$ref'],
  [{ type: 'integer', enum: ['a'] }, '/enum'],
  [{ type: 'number', minimum: 2, maximum: 1 }, '/minimum'],
  [{ type: 'integer', exclusiveMinimum: 1, exclusiveMaximum: 2 }, '/exclusiveMinimum'],
  [{ type: 'number', exclusiveMinimum: 1, maximum: 1 }, '/exclusiveMinimum'],
  [{ type: 'integer', maximum: -1e20 }, '/maximum'],
  [{ type: 'string', minLength: 3, maxLength: 2 }, '/minLength'],
  [{ type: 'array', minItems: 3, maxItems: 2 }, '/minItems'],
  [{ type: 'array', prefixItems: [{}], items: false, minItems: 2 }, '/minItems'],
  [{ type: 'array', prefixItems: [{}], minItems: 2 }, '/minItems'],
  [{ type: 'object', properties: { a: {} }, minProperties: 2 }, '/minProperties'],
  [{ type: 'object', additionalProperties: false, minProperties: 1 }, '/minProperties'],
  [{ type: 'object', required: ['a', 'b'], maxProperties: 1 }, '/maxProperties'],
  [{ allOf: [{ type: 'string' }, { type: 'null' }] }, '/allOf/1/type'],
];
