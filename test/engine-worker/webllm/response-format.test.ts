import { expect, test } from 'vitest';
import type { ResponseFormat } from '../../../src/shared/completion-request.ts';
import { anyAllowed } from './support/any-allowed.ts';
import type { Sampler } from './support/scripted-pipeline.ts';
import { ask, loadedEngine } from './support/test-engine.ts';
import type { TestTokenizer } from './support/test-tokenizer.ts';

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

test('JSON mode without a schema gives one object, whatever the model would like to say', async () => {
  for (const seed of [1, 2, 3]) {
    const { engine } = await loadedEngine({ sampler: anyAllowed(seed) });
    const { choices } = await ask(engine, { responseFormat: { type: 'json_object' }, maxTokens: 2000 });
    expect(JSON.parse(choices[0]?.content ?? '')).toBeTypeOf('object');
    expect(choices[0]?.reason).toBe('stop');
  }
});

test('a schema is enforced by grammar, and its properties come in its order', async () => {
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

test('a model that would fill its answer with white space has to go on', async () => {
  const blanks = [' ', '\n'];
  const preferBlanks = (tokenizer: TestTokenizer, endOfTurn: number): Sampler => {
    const wanted = [...blanks, ...'{"a":[true}]'].flatMap((text) => [...tokenizer.encode(text)]);
    return ({ allows }) => wanted.find(allows) ?? endOfTurn;
  };
  const { engine } = await loadedEngine({ sampler: preferBlanks });
  const schema = {
    type: 'object',
    properties: { a: { type: 'array', items: { type: 'boolean' }, maxItems: 1 } },
    required: ['a'],
    additionalProperties: false,
  };
  const [choice] = (await ask(engine, { responseFormat: { type: 'json_schema', schema }, maxTokens: 2000 })).choices;
  expect(choice?.reason).toBe('stop');
  expect(JSON.parse(choice?.content ?? '')).toHaveProperty('a');
  expect(choice?.content).toMatch(/\s{10}/);
  expect(choice?.content).not.toMatch(/\s{30}/);
});

test("white space within a string of JSON is the model's own", async () => {
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
])('bounds with a fraction leave the answer JSON: %j', async (schema) => {
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
])('what %j asks for without describing it may be anything', async (schema, text) => {
  const { engine } = await loadedEngine({ replies: [[...text]] });
  expect((await ask(engine, { responseFormat: { type: 'json_schema', schema } })).choices[0]).toMatchObject({
    content: text,
    reason: 'stop',
  });
});

test('free text is not touched by any grammar, before and after one', async () => {
  const { engine } = await loadedEngine({ replies: [['no json'], ['{', '}'], ['no json']] });
  await ask(engine, 'x');
  await ask(engine, { responseFormat: { type: 'json_object' } });
  expect((await ask(engine, 'x')).choices[0]?.content).toBe('no json');
});

const nest = (levels: number, wrap: (inner: object) => object) => {
  let schema: object = { type: 'string' };
  for (let level = 1; level < levels; level++) schema = wrap(schema);
  return schema;
};
const chain = (length: number) => ({
  $defs: Object.fromEntries(
    Array.from({ length }, (_, index) => [
      `d${index}`,
      index + 1 < length ? { $ref: `#/$defs/d${index + 1}` } : { type: 'string' },
    ]),
  ),
  $ref: '#/$defs/d0',
});
const groups = (depth: number) => ({ type: 'string', pattern: `${'('.repeat(depth)}a${')'.repeat(depth)}` });

test.each<[string, object, object]>([
  ['arrays', nest(39, (items) => ({ type: 'array', items })), nest(41, (items) => ({ type: 'array', items }))],
  [
    'objects',
    nest(20, (a) => ({ type: 'object', properties: { a } })),
    nest(21, (a) => ({ type: 'object', properties: { a } })),
  ],
  [
    'choices',
    nest(20, (a) => ({ anyOf: [{ type: 'null' }, a] })),
    nest(100, (a) => ({ anyOf: [{ type: 'null' }, a] })),
  ],
  ['references', chain(38), chain(400)],
  ['groups of a pattern', groups(40), groups(1000)],
  [
    'a constant',
    { const: JSON.parse('['.repeat(38) + ']'.repeat(38)) as unknown },
    { const: JSON.parse('['.repeat(500) + ']'.repeat(500)) as unknown },
  ],
])(
  '%s nested as deep as is allowed work, deeper ones are refused before they break the grammar',
  async (_name, deep, tooDeep) => {
    const { engine } = await loadedEngine({ sampler: anyAllowed(1) });
    const ofSchema = (schema: object) =>
      ask(engine, { responseFormat: { type: 'json_schema', schema: { ...schema } }, maxTokens: 3 });
    const asTool = (schema: object) =>
      ask(engine, {
        tools: [{ name: 'f', description: null, parameters: { ...schema } }],
        toolChoice: 'required',
        maxTokens: 50,
      });
    await ofSchema(deep);
    await asTool(deep);
    await expect(ofSchema(tooDeep)).rejects.toMatchObject({
      code: 'invalid_value',
      param: 'response_format.json_schema.schema',
    });
    await expect(asTool(tooDeep)).rejects.toMatchObject({
      code: 'invalid_value',
      param: 'tools[0].function.parameters',
    });
    await ofSchema({ type: 'object' });
  },
);

test.each([
  { $ref: '#' },
  { $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } }, $ref: '#/$defs/a' },
  { $ref: '#/%E0%A4%A' },
])('the schema %j, which refers to itself or nowhere, is refused and harms nothing', async (schema) => {
  const { engine } = await loadedEngine({ sampler: anyAllowed(1) });
  await expect(ask(engine, { responseFormat: { type: 'json_schema', schema } })).rejects.toMatchObject({
    code: 'invalid_value',
  });
  await ask(engine, { responseFormat: { type: 'json_object' }, maxTokens: 3 });
});
