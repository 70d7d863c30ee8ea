import { expect, test } from 'vitest';
import { AnswerMeter } from '../../src/chat/answers/answer-meter.ts';
import { browserFamily } from '../../src/chat/app/unsupported-advice.ts';
import { parseRoute } from '../../src/chat/common/route.ts';
import { readSettings, schemaProblem } from '../../src/chat/conversation/read-settings.ts';
import { titleFrom } from '../../src/chat/storage/conversation.ts';

test.each([
  ['', { view: 'chat', conversation: null }],
  ['#/', { view: 'chat', conversation: null }],
  ['#/chat/0b0c-1', { view: 'chat', conversation: '0b0c-1' }],
  ['#/chat/<img>', { view: 'chat', conversation: null }],
  ['#/models', { view: 'models' }],
  ['#/developers', { view: 'developers' }],
  ['#/privacy', { view: 'privacy' }],
  ['#/nowhere', { view: 'chat', conversation: null }],
])('the address %s', (hash, route) => {
  expect(parseRoute(hash)).toEqual(route);
});

test.each([
  ['Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36', 'chromium'],
  ['Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:143.0) Gecko/20100101 Firefox/143.0', 'firefox'],
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Safari/605.1.15',
    'safari',
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/140.0 Mobile/15E148',
    'safari',
  ],
  ['curl/8', 'other'],
])('advice for %s is advice for %s', (userAgent, family) => {
  expect(browserFamily(userAgent)).toBe(family);
});

test.each([
  ['Short?', 'Short?'],
  ['  two\n lines ', 'two lines'],
  ['word '.repeat(20).trim(), `${'word '.repeat(12).trim()}…`],
  ['x'.repeat(80), `${'x'.repeat(60)}…`],
])('the title of a chat that begins with %j', (question, title) => {
  expect(titleFrom(question)).toBe(title);
});

test('speed counts the tokens after the first, and needs two', () => {
  const meter = new AnswerMeter(1000);
  expect(meter.timeToFirstToken).toBeNull();
  meter.piece(1250);
  expect(meter.timeToFirstToken).toBe(250);
  expect(meter.tokensPerSecond(1)).toBeNull();
  meter.piece(2250);
  expect(meter.tokensPerSecond(11)).toBe(10);
});

function form(fields: Record<string, string>): FormData {
  const data = new FormData();
  for (const [name, value] of Object.entries(fields)) data.set(name, value);
  return data;
}

test('empty fields leave everything to the model', () => {
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
  });
});

test('0 is a value and not an empty field', () => {
  expect(readSettings(form({ temperature: '0', seed: '0' }))).toMatchObject({ temperature: 0, seed: 0 });
});

test('stop texts are lines, blanks kept, at most four', () => {
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
  expect(schemaProblem(schema) !== null).toBe(problem);
});
