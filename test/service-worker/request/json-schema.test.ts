import { describe, expect, test } from 'vitest';
import { SCHEMA_COSTS } from '../json-schema/schema-costs.ts';
import { SCHEMA_DEPTHS } from '../json-schema/schema-depths.ts';
import type { CompletionService } from '../../../src/shared/engine/engine.ts';
import { INVALID_SCHEMAS, VALID_SCHEMAS } from '../json-schema/json-schema-cases.ts';
import { readError } from '../support/read-error.ts';
import { createTestApp, GOOD_BODY } from '../support/test-app.ts';

const format = (schema: unknown, more: object = {}): object => ({
  response_format: { type: 'json_schema', json_schema: { name: 'answer', schema, ...more } },
});
/** The schema as an argument of a tool that must be followed whole, with its definitions at the root, where references point to. */
const asTool = ({ $defs, ...argument }: { readonly $defs?: object }): object => {
  const parameters = { type: 'object', $defs, properties: { argument } };
  return { tools: [{ type: 'function', function: { name: 'f', strict: true, parameters } }] };
};
const PARAM = 'response_format.json_schema.schema';

describe('response_format json_schema', () => {
  test.each(VALID_SCHEMAS)('accepts the schema %j unchanged', async (schema) => {
    const { responseFormat } = await createTestApp().received(format(schema));
    expect(responseFormat).toEqual({ type: 'json_schema', schema });
  });

  test.each(INVALID_SCHEMAS)('rejects the schema %j and names %s', async (schema, place) => {
    const app = createTestApp();
    const error = await readError(await app.chat({ ...GOOD_BODY, ...format(schema) }));
    expect(error).toMatchObject({ status: 400, code: 'invalid_value', param: PARAM });
    expect(error.message).toContain(place);
    expect(error.message, 'no deeper place is named').not.toContain(`${place}/`);
    expect(app.service.completions, 'nothing was generated').toEqual([]);
    expect((await app.chat(GOOD_BODY)).status, 'the service stays usable').toBe(200);
  });

  test.each(['text', 1, []])('rejects %j, which is not a schema', async (schema) => {
    const error = await readError(await createTestApp().chat({ ...GOOD_BODY, ...format(schema) }));
    expect(error).toMatchObject({ status: 400, code: 'invalid_type', param: PARAM });
  });

  test('an extremely deep schema is rejected like any other', async () => {
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
    [
      { type: 'json_schema', json_schema: { name: 'n'.repeat(65) } },
      'invalid_value',
      'response_format.json_schema.name',
    ],
    [
      { type: 'json_schema', json_schema: { name: 'n', strict: 1 } },
      'invalid_type',
      'response_format.json_schema.strict',
    ],
    [
      { type: 'json_schema', json_schema: { name: 'n', description: 1 } },
      'invalid_type',
      'response_format.json_schema.description',
    ],
  ])('%j is refused', async (response_format, code, param) => {
    expect(await readError(await createTestApp().chat({ ...GOOD_BODY, response_format }))).toMatchObject({
      code,
      param,
    });
  });

  test.each([{}, { schema: null }, { strict: true, description: 'd' }, { strict: null, description: null }])(
    'without a schema any object will do: %j',
    async (more) => {
      const json_schema = { name: `${'n'.repeat(62)}-_`, ...more };
      const { responseFormat } = await createTestApp().received({
        response_format: { type: 'json_schema', json_schema },
      });
      expect(responseFormat).toEqual({ type: 'json_schema', schema: null });
    },
  );
});

describe.each(SCHEMA_DEPTHS)('$name nested', ({ deep, tooDeep }) => {
  const unusedService: CompletionService = {
    complete: () => expect.unreachable('The request must not even wait in the queue.'),
    cancelStream: () => expect.unreachable('There is nothing to be ended.'),
  };

  test('of the maximum depth are accepted', async () => {
    expect((await createTestApp().chat({ ...GOOD_BODY, ...format(deep) })).status).toBe(200);
  });

  test.each([
    { name: 'an answer', fields: format(tooDeep), param: PARAM },
    { name: 'a tool', fields: asTool(tooDeep), param: 'tools[0].function.parameters' },
  ])('too deeply are refused before admission, as the schema of $name', async ({ fields, param }) => {
    const app = createTestApp({ service: unusedService });
    expect(await readError(await app.chat({ ...GOOD_BODY, ...fields }))).toMatchObject({
      status: 400,
      code: 'invalid_value',
      param,
      message: expect.stringMatching(/more than 40 levels deep/),
    });
  });
});

describe.each(SCHEMA_COSTS)('the cost of $name', ({ dear, tooDear, most }) => {
  const unusedService: CompletionService = {
    complete: () => expect.unreachable('The request must not even wait in the queue.'),
    cancelStream: () => expect.unreachable('There is nothing to be ended.'),
  };

  test('is accepted up to a limit', async () => {
    expect((await createTestApp().chat({ ...GOOD_BODY, ...format(dear) })).status).toBe(200);
  });

  test.each([
    { name: 'an answer', fields: format(tooDear), param: PARAM },
    { name: 'a tool', fields: asTool(tooDear), param: 'tools[0].function.parameters' },
  ])('is refused beyond it, as the schema of $name, with the limit named', async ({ fields, param }) => {
    const app = createTestApp({ service: unusedService });
    const error = await readError(await app.chat({ ...GOOD_BODY, ...fields }));
    expect(error).toMatchObject({ status: 400, code: 'invalid_value', param });
    expect(error.message).toContain(`${most} is the most; `);
  });
});

test('the costs of all tools that must be followed whole are added', async () => {
  const properties = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`p${index}`, {}]));
  const tools = (count: number) => ({
    tools: Array.from({ length: count }, (_, index) => ({
      type: 'function',
      function: { name: `f${index}`, strict: true, parameters: { type: 'object', properties } },
    })),
  });
  expect((await createTestApp().chat({ ...GOOD_BODY, ...tools(10) })).status).toBe(200);
  const error = await readError(await createTestApp().chat({ ...GOOD_BODY, ...tools(11) }));
  expect(error).toMatchObject({ status: 400, code: 'invalid_value', param: 'tools' });
  expect(error.message).toContain('1,100 properties, items and alternatives, and 1,000 is the most');
});
