import { expect, test } from 'vitest';
import { readError } from '../support/read-error.ts';
import { createTestApp, GOOD_BODY } from '../support/test-app.ts';

const user = (content: unknown) => ({ role: 'user', content });
const WINDOW = 2048;
const MAX_CHARACTERS = WINDOW * 256;

const turns = (count: number, turn: object) => Array.from({ length: count }, () => turn);

test.each([
  ['as many characters as the longest tokens would cover', [user('a'.repeat(MAX_CHARACTERS))]],
  ['as many turns as tokens', turns(WINDOW, user(''))],
  ['system messages, which become one', turns(WINDOW + 1, { role: 'system', content: '' })],
])('a prompt of %s reaches the engine', async (_what, messages) => {
  expect((await createTestApp().chat({ ...GOOD_BODY, messages })).status).toBe(200);
});

test.each([
  ['one character more', [user('a'.repeat(MAX_CHARACTERS + 1))]],
  ['nineteen million characters', [user('a'.repeat(19_000_000))]],
  ['as many characters in two messages', [user('a'.repeat(MAX_CHARACTERS)), { role: 'assistant', content: 'a' }]],
  ['as many characters in parts', [user(turns(3, { type: 'text', text: 'a'.repeat(MAX_CHARACTERS / 2) }))]],
  ['one turn more', turns(WINDOW + 1, user(''))],
  ['200,000 turns', turns(200_000, user('a'))],
])('a prompt of %s is refused by the service worker', async (_what, messages) => {
  const app = createTestApp();
  const error = await readError(await app.chat({ ...GOOD_BODY, messages }));
  expect(error).toMatchObject({ status: 400, code: 'context_length_exceeded', param: 'messages' });
  const [, window, prompt] = /maximum context length is (\d+) tokens.* at least (\d+) tokens/.exec(error.message)!;
  expect(Number(window)).toBe(WINDOW);
  expect(Number(prompt)).toBeGreaterThan(WINDOW);
  expect(app.service.completions).toEqual([]);
});
