import { expect, test } from 'vitest';
import type { ResponseFormat } from '../../../src/shared/completion-request.ts';
import { anyAllowed } from './support/any-allowed.ts';
import { ask, loadedEngine } from './support/test-engine.ts';

const SCHEMA = {
  type: 'object',
  properties: { name: { type: 'string', maxLength: 8 }, age: { type: 'integer', minimum: 0, maximum: 99 }, ok: { type: 'boolean' } },
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

test.each([{ type: 'hiccup' }, { type: 123 }, { type: 'array', items: [{ type: 'string' }] }, { $ref: '#/$defs/missing' }])(
  'the schema %j is refused before generation, and the engine stays usable',
  async (schema) => {
    const { engine, runs } = await loadedEngine({ replies: [['{', '}']] });
    await expect(ask(engine, { responseFormat: { type: 'json_schema', schema } })).rejects.toMatchObject({
      code: 'invalid_value',
      status: 400,
      param: 'response_format.json_schema.schema',
    });
    expect(runs.every((run) => run.steps === 0)).toBe(true);
    expect((await ask(engine, { responseFormat: { type: 'json_object' } })).choices[0]?.content).toBe('{}');
    expect((await ask(engine, 'x')).choices[0]?.content).toBe('{}');
  },
);

test('white space without end, which a grammar allows, ends as an answer that was cut', async () => {
  const spaces = Array.from({ length: 500 }, () => ' ');
  const { engine, runs } = await loadedEngine({ replies: [['{', ...spaces, '}'], ['{', '"a b"', ':', '"', ...spaces, '"', '}']] });
  expect((await ask(engine, { responseFormat: { type: 'json_object' } })).choices[0]?.reason).toBe('length');
  expect(runs[0]?.steps).toBeLessThan(300);
  const { choices } = await ask(engine, { responseFormat: { type: 'json_object' } });
  expect(JSON.parse(choices[0]?.content ?? '')).toEqual({ 'a b': ' '.repeat(500) });
});

test('free text is not touched by any grammar, before and after one', async () => {
  const { engine } = await loadedEngine({ replies: [['no json'], ['{', '}'], ['no json']] });
  await ask(engine, 'x');
  await ask(engine, { responseFormat: { type: 'json_object' } });
  expect((await ask(engine, 'x')).choices[0]?.content).toBe('no json');
});
