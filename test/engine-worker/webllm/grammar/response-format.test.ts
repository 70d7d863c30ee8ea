import { expect, test } from 'vitest';
import type { ResponseFormat } from '../../../../src/shared/engine/completion-request.ts';
import { SCHEMA_COSTS } from '../../../service-worker/json-schema/schema-costs.ts';
import { SCHEMA_DEPTHS } from '../../../service-worker/json-schema/schema-depths.ts';
import { anyAllowed } from '../support/any-allowed.ts';
import type { Sampler } from '../support/scripted-pipeline.ts';
import { ask, loadedEngine } from '../support/test-engine.ts';
import type { TestTokenizer } from '../support/test-tokenizer.ts';

const SCHEMA = {
  type: 'object',
  properties: {
    name: { type: 'string', maxLength: 8 },
    age: { type: 'integer', minimum: 0, maximum: 99 },
    ok: { type: 'boolean' },
  },
  required: ['name', 'age', 'ok'],
  additionalProperties: false,
};

test('JSON mode without a schema gives one object, whatever the model prefers', async () => {
  for (const seed of [1, 2, 3]) {
    const { engine } = await loadedEngine({ sampler: anyAllowed(seed) });
    const { choices } = await ask(engine, { responseFormat: { type: 'json_object' }, maxTokens: 2000 });
    expect(JSON.parse(choices[0]?.content ?? '')).toBeTypeOf('object');
    expect(choices[0]?.reason).toBe('stop');
  }
});

test('a schema is enforced by a grammar, with the properties in its order', async () => {
  for (const seed of [1, 2, 3, 4]) {
    const { engine } = await loadedEngine({ sampler: anyAllowed(seed) });
    const { choices } = await ask(engine, { responseFormat: { type: 'json_schema', schema: SCHEMA }, maxTokens: 2000 });
    const value = JSON.parse(choices[0]?.content ?? '') as Record<string, unknown>;
    expect(Object.keys(value)).toEqual(['name', 'age', 'ok']);
    expect(value['age']).toSatisfy((age: number) => Number.isInteger(age) && age >= 0 && age <= 99);
  }
});

test.each<[string, ResponseFormat]>([
  ['no schema', { type: 'json_schema', schema: null }],
  ['an empty schema', { type: 'json_schema', schema: {} }],
  ['the schema true', { type: 'json_schema', schema: true }],
])('%s accepts any object', async (_name, responseFormat) => {
  const { engine } = await loadedEngine({ replies: [['{', '"a"', ':', '1', '}']] });
  expect((await ask(engine, { responseFormat })).choices[0]).toMatchObject({ content: '{"a":1}', reason: 'stop' });
});

test.each([
  { type: 'hiccup' },
  { type: 123 },
  { type: 'array', items: [{ type: 'string' }] },
  { $ref: '#/$defs/missing' },
])('the schema %j is refused before generation, and the engine stays usable', async (schema) => {
  const { engine, runs } = await loadedEngine({ replies: [['{', '}']] });
  await expect(ask(engine, { responseFormat: { type: 'json_schema', schema } })).rejects.toMatchObject({
    code: 'invalid_value',
    status: 400,
    param: 'response_format.json_schema.schema',
  });
  expect(runs.every((run) => run.steps === 0)).toBe(true);
  expect((await ask(engine, { responseFormat: { type: 'json_object' } })).choices[0]?.content).toBe('{}');
  expect((await ask(engine, 'x')).choices[0]?.content).toBe('{}');
});

/** A model that prefers endless white space to the requested text. */
const preferBlanks =
  (text: string, blanks: readonly string[]) =>
  (tokenizer: TestTokenizer, endOfTurn: number): Sampler => {
    const wanted = [...blanks, ...text].flatMap((part) => [...tokenizer.encode(part)]);
    return ({ allows }) => wanted.find(allows) ?? endOfTurn;
  };

const LIST_OF_ONE = {
  type: 'object',
  properties: { a: { type: 'array', items: { type: 'boolean' }, maxItems: 1 } },
  required: ['a'],
  additionalProperties: false,
};

test.each([[[' ', '\n']], [['\n', ' ']]])(
  'a model that prefers endless white space (%j) gets a blank or one indented line',
  async (blanks) => {
    const { engine } = await loadedEngine({ sampler: preferBlanks('{"a":[true}]', blanks) });
    const responseFormat = { type: 'json_schema', schema: LIST_OF_ONE } as const;
    const [choice] = (await ask(engine, { responseFormat, maxTokens: 2000 })).choices;
    expect(choice?.reason).toBe('stop');
    expect(JSON.parse(choice?.content ?? '')).toEqual({ a: [true] });
    expect(choice?.content).toMatch(/\s/);
    expect(choice?.content).not.toMatch(/ \n|\n\s*\n|\s{18}/);
  },
);

test('a forced tool call is complete although the model prefers white space', async () => {
  const success = { type: 'object', properties: { success: { type: 'boolean', const: true } }, required: ['success'] };
  const { engine } = await loadedEngine({
    sampler: preferBlanks('<tool_call>{"name":"report","arguments":{"success":true}}/', ['\n', ' ']),
  });
  const [choice] = (
    await ask(engine, {
      tools: [{ name: 'report', description: null, parameters: success }],
      toolChoice: 'required',
      parallelToolCalls: false,
      maxTokens: 500,
    })
  ).choices;
  expect(choice).toMatchObject({ reason: 'tool_calls', toolCalls: [{ name: 'report' }] });
  expect(JSON.parse(choice?.toolCalls[0]?.arguments ?? '')).toEqual({ success: true });
});

test.each([[undefined], [2], [4], ['\t']])(
  'the grammar of a schema allows JSON as JSON.stringify indents it (%j)',
  async (indentation) => {
    const value = { a: [true] };
    const text = JSON.stringify(value, null, indentation);
    const { engine } = await loadedEngine({ replies: [[...text]] });
    const { choices } = await ask(engine, { responseFormat: { type: 'json_schema', schema: LIST_OF_ONE } });
    expect(JSON.parse(choices[0]?.content ?? '')).toEqual(value);
    expect(choices[0]?.content).toBe(text);
  },
);

test('white space within a JSON string is not restricted', async () => {
  const spaces = Array.from({ length: 500 }, () => ' ');
  const { engine } = await loadedEngine({ replies: [['{', '"a b"', ':', '"', ...spaces, '"', '}']] });
  const { choices } = await ask(engine, { responseFormat: { type: 'json_object' }, maxTokens: 2000 });
  expect(JSON.parse(choices[0]?.content ?? '')).toEqual({ 'a b': ' '.repeat(500) });
});

test.each([
  { type: 'object', properties: { share: { type: 'number', minimum: 0.5, maximum: 1.5 } }, required: ['share'] },
  {
    type: 'object',
    properties: { share: { anyOf: [{ type: ['number', 'null'], exclusiveMinimum: -0.25 }] } },
    required: ['share'],
  },
  {
    type: 'object',
    properties: { share: { $ref: '#/$defs/share' } },
    required: ['share'],
    $defs: { share: { type: 'number', maximum: -1.5 } },
  },
])('fractional bounds keep the answer valid JSON: %j', async (schema) => {
  for (const seed of [1, 2, 3, 4, 5, 6]) {
    const { engine } = await loadedEngine({ sampler: anyAllowed(seed) });
    const { choices } = await ask(engine, { responseFormat: { type: 'json_schema', schema }, maxTokens: 2000 });
    expect(JSON.parse(choices[0]?.content ?? '')).toHaveProperty('share');
  }
});

test.each([
  [{ type: 'array', maxItems: 2 }, '[1,2]'],
  [{ type: 'object', required: ['a'] }, '{"a":1}'],
  [{ type: 'object', properties: { b: { type: 'null' } }, required: ['b', 'a'] }, '{"b":null,"a":1}'],
])('values that %j requires without describing them may be anything', async (schema, text) => {
  const { engine } = await loadedEngine({ replies: [[...text]] });
  expect((await ask(engine, { responseFormat: { type: 'json_schema', schema } })).choices[0]).toMatchObject({
    content: text,
    reason: 'stop',
  });
});

test('free text is not constrained, before and after a constrained answer', async () => {
  const { engine } = await loadedEngine({ replies: [['no json'], ['{', '}'], ['no json']] });
  await ask(engine, 'x');
  await ask(engine, { responseFormat: { type: 'json_object' } });
  expect((await ask(engine, 'x')).choices[0]?.content).toBe('no json');
});

test.each(SCHEMA_DEPTHS)('the grammar package accepts $name nested to the maximum depth', async ({ deep }) => {
  const { engine } = await loadedEngine({ sampler: anyAllowed(1) });
  const tool = { name: 'f', description: null, parameters: { ...deep } };
  for (const request of [
    { responseFormat: { type: 'json_schema', schema: { ...deep } }, maxTokens: 3 },
    { tools: [tool], toolChoice: 'required', maxTokens: 50 },
    { responseFormat: { type: 'json_schema', schema: { type: 'object' } }, maxTokens: 3 },
  ] as const) {
    expect((await ask(engine, request)).choices).toHaveLength(1);
  }
});

// Without the limits, compiling takes minutes. The timeout is many times the normal duration.
test.each(SCHEMA_COSTS)(
  'the grammar of $name compiles quickly at the maximum number',
  async ({ dear }) => {
    const { engine } = await loadedEngine({ sampler: anyAllowed(1) });
    const responseFormat = { type: 'json_schema', schema: { ...dear } } as const;
    expect((await ask(engine, { responseFormat, maxTokens: 3 })).choices).toHaveLength(1);
  },
  30_000,
);

test.each([
  { $ref: '#' },
  { $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } }, $ref: '#/$defs/a' },
  { $ref: '#/%E0%A4%A' },
])('the schema %j, which refers to itself or to nothing, is refused without side effects', async (schema) => {
  const { engine } = await loadedEngine({ sampler: anyAllowed(1) });
  await expect(ask(engine, { responseFormat: { type: 'json_schema', schema } })).rejects.toMatchObject({
    code: 'invalid_value',
  });
  await ask(engine, { responseFormat: { type: 'json_object' }, maxTokens: 3 });
});
