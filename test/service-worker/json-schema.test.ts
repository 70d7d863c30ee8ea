import { describe, expect, test } from 'vitest';
import { readError } from './read-error.ts';
import { createTestApp, GOOD_BODY } from './test-app.ts';

const format = (schema: unknown, more: object = {}): object => ({
  response_format: { type: 'json_schema', json_schema: { name: 'answer', schema, ...more } },
});
const PARAM = 'response_format.json_schema.schema';

const nested = (levels: number): object => (levels === 0 ? {} : { items: nested(levels - 1) });

const VALID: readonly unknown[] = [
  true,
  {},
  { type: 'object' },
  { type: ['string', 'null'] },
  {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Recipe',
    type: 'object',
    properties: {
      name: { type: 'string', minLength: 1, maxLength: 1, pattern: '^[a-z]+$', description: 'text' },
      when: { type: 'string', format: 'date-time' },
      steps: { type: 'array', items: { $ref: '#/$defs/step' }, minItems: 0, maxItems: 9, uniqueItems: true },
      pair: { type: 'array', prefixItems: [{ type: 'integer' }, { type: 'number' }], items: false },
      colour: { enum: ['red', null, 3] },
      fixed: { const: { any: ['thing'] } },
      either: { anyOf: [{ type: 'integer', minimum: -1, maximum: 1 }, { oneOf: [{ type: 'null' }] }] },
      one: { allOf: [{ type: 'boolean' }] },
      type: { type: 'string' },
      properties: { type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 1, multipleOf: 0.1 },
    },
    required: ['name'],
    additionalProperties: false,
    $defs: { step: { type: 'object', properties: { next: { $ref: '#/$defs/step' } } }, 'a b': {} },
  },
  { $ref: '#/$defs/a b', $defs: { 'a b': { type: 'string' } } },
  { $ref: 'https://elsewhere.test/schema.json' },
  { definitions: { x: { type: 'null' } }, patternProperties: { '^x': {} }, propertyNames: { maxLength: 3 }, not: {}, contains: {} },
  { type: 'array', items: { type: 'null' }, minItems: 3 },
  { type: 'array', items: false },
  { type: 'object', additionalProperties: true, minProperties: 2 },
  { type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 0.5 },
  { type: ['integer', 'null'], minimum: 2, maximum: 2 },
  { minItems: 3, required: ['x'], minProperties: 2 },
  { pattern: '^(a|b)[^"\\-][\\]-][a-]{2,3}?\\.\\/?$' },
  { pattern: '(?<year>\\d{4})(?:-\\w)+\\u{1F600}[\\u0041-\\u005A]' },
  { unknownKeyword: { type: 'hiccup' }, enum: [{ type: 'hiccup' }], const: { type: 1 } },
  nested(50),
];

const INVALID: readonly (readonly [schema: unknown, place: string])[] = [
  [{ type: 'hiccup' }, '/type'],
  [{ type: 123 }, '/type'],
  [{ type: null }, '/type'],
  [{ type: [] }, '/type'],
  [{ type: ['string', 'hiccup'] }, '/type'],
  [{ properties: { a: { type: 'hiccup' } } }, '/properties/a/type'],
  [{ properties: [] }, '/properties'],
  [{ properties: { a: 1 } }, '/properties/a'],
  [{ properties: { a: false } }, '/properties/a'],
  [{ required: 'a' }, '/required'],
  [{ required: [1] }, '/required'],
  [{ items: [{}] }, '/items'],
  [{ items: { items: { type: 'no' } } }, '/items/items/type'],
  [{ prefixItems: {} }, '/prefixItems'],
  [{ prefixItems: [] }, '/prefixItems'],
  [{ anyOf: [] }, '/anyOf'],
  [{ anyOf: [{}, { type: 'no' }] }, '/anyOf/1/type'],
  [{ oneOf: 'x' }, '/oneOf'],
  [{ allOf: [false] }, '/allOf/0'],
  [{ not: 3 }, '/not'],
  [{ enum: [] }, '/enum'],
  [{ enum: 'red' }, '/enum'],
  [{ minimum: '1' }, '/minimum'],
  [{ minimum: 2, maximum: 1 }, '/minimum'],
  [{ minLength: -1 }, '/minLength'],
  [{ maxLength: 1.5 }, '/maxLength'],
  [{ minItems: 3, maxItems: 2 }, '/minItems'],
  [{ multipleOf: 0 }, '/multipleOf'],
  [{ pattern: '(' }, '/pattern'],
  [{ pattern: 1 }, '/pattern'],
  [{ format: 1 }, '/format'],
  [{ uniqueItems: 'yes' }, '/uniqueItems'],
  [{ additionalProperties: 'no' }, '/additionalProperties'],
  [{ additionalProperties: { type: 'no' } }, '/additionalProperties/type'],
  [{ $defs: { a: null } }, '/$defs/a'],
  [{ $ref: 1 }, '/$ref'],
  [{ $ref: '#/$defs/none' }, '/$ref'],
  [{ $ref: '#anchor' }, '/$ref'],
  [{ $ref: '#/type', type: 'string' }, '/$ref'],
  [{ $ref: '#' }, '/$ref'],
  [{ $ref: '#/$defs/a', $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } } }, '/$ref'],
  [{ $ref: '#/$defs/a~1b', $defs: { 'a/b': {} } }, '/$ref'],
  [{ $ref: '#/anyOf/0', anyOf: [{}] }, '/$ref'],
  [{ maxItems: 2 ** 31 }, '/maxItems'],
  [{ properties: { 'say "hi"': {} } }, '/properties'],
  [{ properties: { 'a\nb': {} } }, '/properties'],
  [{ propertyNames: true }, '/propertyNames'],
  [{ propertyNames: { type: 'integer' } }, '/propertyNames'],
  [{ patternProperties: { '(?=a)': {} } }, '/patternProperties'],
  ...['(?=a)b', '(?<!a)b', '\\bfoo', '(a)\\1', '\\p{L}', '[\\p{L}]', '[\n]', 'a||b', '(|a)', 'a{2', '\\x4', '[a-\\d]', '[]'].map(
    (pattern) => [{ type: 'string', pattern }, '/pattern'] as const,
  ),
  [{ type: 'integer', minimum: 1.5 }, '/minimum'],
  [{ type: ['integer', 'number'], exclusiveMaximum: 1e20 }, '/exclusiveMaximum'],
  [{ type: 'integer', exclusiveMinimum: 1, exclusiveMaximum: 2 }, '/exclusiveMinimum'],
  [{ type: 'number', exclusiveMinimum: 1, maximum: 1 }, '/exclusiveMinimum'],
  [{ type: 'array', minItems: 1 }, '/minItems'],
  [{ prefixItems: [{}], items: false, minItems: 2 }, '/minItems'],
  [{ prefixItems: [{}, {}], maxItems: 1 }, '/maxItems'],
  [{ type: 'object', properties: { a: {} }, minProperties: 2 }, '/minProperties'],
  [{ additionalProperties: false, minProperties: 1 }, '/minProperties'],
  [{ required: ['a', 'b'], maxProperties: 1 }, '/maxProperties'],
  [{ enum: ['\ud800'] }, 'root'],
  [false, 'root'],
  [nested(70), 'root'],
];

describe('response_format json_schema', () => {
  test.each(VALID)('takes the schema %j as it is', async (schema) => {
    const { responseFormat } = await createTestApp().received(format(schema));
    expect(responseFormat).toEqual({ type: 'json_schema', schema });
  });

  test.each(INVALID)('refuses the schema %j and names %s', async (schema, place) => {
    const app = createTestApp();
    const error = await readError(await app.chat({ ...GOOD_BODY, ...format(schema) }));
    expect(error).toMatchObject({ status: 400, code: 'invalid_value', param: PARAM });
    expect(error.message).toContain(place);
    expect(app.service.completions, 'nothing was generated').toEqual([]);
    expect((await app.chat(GOOD_BODY)).status, 'the service stays usable').toBe(200);
  });

  test.each(['text', 1, []])('refuses %j, which is no schema at all', async (schema) => {
    const error = await readError(await createTestApp().chat({ ...GOOD_BODY, ...format(schema) }));
    expect(error).toMatchObject({ status: 400, code: 'invalid_type', param: PARAM });
  });

  test('a schema of endless depth is refused like any other', async () => {
    const schema = `${'{"items":'.repeat(100_000)}{}${'}'.repeat(100_000)}`;
    const body = `{"response_format":{"type":"json_schema","json_schema":{"name":"a","schema":${schema}}},${JSON.stringify(GOOD_BODY).slice(1)}`;
    expect(await readError(await createTestApp().chat(body))).toMatchObject({ code: 'invalid_value', param: PARAM });
  });

  test.each([
    [{ type: 'json_schema' }, 'missing_required_parameter', 'response_format.json_schema'],
    [{ type: 'json_schema', json_schema: 'x' }, 'invalid_type', 'response_format.json_schema'],
    [{ type: 'json_schema', json_schema: {} }, 'missing_required_parameter', 'response_format.json_schema.name'],
    [{ type: 'json_schema', json_schema: { name: 1 } }, 'invalid_type', 'response_format.json_schema.name'],
    [{ type: 'json_schema', json_schema: { name: '' } }, 'invalid_value', 'response_format.json_schema.name'],
    [{ type: 'json_schema', json_schema: { name: 'two words' } }, 'invalid_value', 'response_format.json_schema.name'],
    [{ type: 'json_schema', json_schema: { name: 'n'.repeat(65) } }, 'invalid_value', 'response_format.json_schema.name'],
    [{ type: 'json_schema', json_schema: { name: 'n', strict: 1 } }, 'invalid_type', 'response_format.json_schema.strict'],
    [{ type: 'json_schema', json_schema: { name: 'n', description: 1 } }, 'invalid_type', 'response_format.json_schema.description'],
  ])('%j is refused', async (response_format, code, param) => {
    expect(await readError(await createTestApp().chat({ ...GOOD_BODY, response_format }))).toMatchObject({ code, param });
  });

  test.each([{}, { schema: null }, { strict: true, description: 'd' }, { strict: null, description: null }])(
    'without a schema any object will do: %j',
    async (more) => {
      const json_schema = { name: `${'n'.repeat(62)}-_`, ...more };
      const { responseFormat } = await createTestApp().received({ response_format: { type: 'json_schema', json_schema } });
      expect(responseFormat).toEqual({ type: 'json_schema', schema: null });
    },
  );
});
