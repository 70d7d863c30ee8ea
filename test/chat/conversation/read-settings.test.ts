import { expect, test } from 'vitest';
import { readSettings } from '../../../src/chat/conversation/settings/read-settings.ts';
import { schemaTextProblem } from '../../../src/chat/api/schema-text-problem.ts';

function form(fields: Record<string, string>): FormData {
  const data = new FormData();
  for (const [name, value] of Object.entries(fields)) data.set(name, value);
  return data;
}

test('empty fields leave every setting to the model', () => {
  expect(readSettings(form({}))).toEqual({
    systemPrompt: '',
    temperature: null,
    topP: null,
    maxTokens: null,
    seed: null,
    presencePenalty: null,
    frequencyPenalty: null,
    stop: [],
    jsonSchema: '',
    tools: [],
  });
});

test('0 is a value, not an empty field', () => {
  expect(readSettings(form({ temperature: '0', seed: '0' }))).toMatchObject({ temperature: 0, seed: 0 });
});

test('stop sequences are lines, keep their blanks, and are at most four', () => {
  expect(readSettings(form({ stop: 'one\r\n two \n\n' }))).toMatchObject({ stop: ['one', ' two '] });
  expect(readSettings(form({ stop: '1\n2\n3\n4\n5' }))).toMatchObject({ field: 'stop' });
});

test.each([
  ['', false],
  ['{"type":"object"}', false],
  ['{', true],
  ['[]', true],
  ['"text"', true],
  ['null', true],
])('the schema %j has a problem: %s', (schema, problem) => {
  expect(schemaTextProblem(schema) !== null).toBe(problem);
});
