import { expect, test } from 'vitest';
import { ApiError } from '../../../src/shared/api-error.ts';
import { contextLengthExceeded } from '../../../src/shared/engine/engine-errors.ts';
import { messagesErrorBody } from '../../../src/shared/http/messages-api-errors.ts';
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

const LONG = 'a'.repeat(MAX_CHARACTERS + 1);

test.each([
  [
    '/chat/completions',
    { messages: [user(LONG)] },
    'messages',
    "This model's maximum context length is 2048 tokens. However, your messages resulted in at least 2049 tokens. Please reduce the length of the messages.",
  ],
  [
    '/responses',
    { input: LONG },
    'input',
    "This model's maximum context length is 2048 tokens. However, your input resulted in at least 2049 tokens. Please reduce the length of the input.",
  ],
  ['/messages', { max_tokens: 9, messages: [user(LONG)] }, undefined, 'prompt is too long: 2049 tokens > 2048 maximum'],
])('a prompt that is too long for %s is refused in the words of its API', async (path, fields, param, message) => {
  const body = JSON.stringify({ model: 'pocket', store: false, ...fields });
  const response = await createTestApp().send(path, { method: 'POST', body });
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({
    error: { type: 'invalid_request_error', message, ...(param && { param, code: 'context_length_exceeded' }) },
  });
});

test.each([
  [2100, 2048, 2100, 2048],
  ['at least 2100', 2048, 2100, 2048],
  ['more than 2048', 2048, 2049, 2048],
  ['too many', 2048, 2049, 2048],
  // A prompt that fills the window leaves no room for an answer.
  [2048, 2048, 2048, 2047],
])(
  'a prompt of %s tokens in a window of %i overflows it, also from another context',
  (given, window, tokens, maximum) => {
    const error = contextLengthExceeded({ contextWindow: window }, given);
    expect(ApiError.fromData(structuredClone(error.toData()))).toMatchObject({ overflow: { tokens, maximum } });
    expect(messagesErrorBody(error, 'req_1')).toMatchObject({
      error: { message: `prompt is too long: ${tokens} tokens > ${maximum} maximum` },
    });
  },
);
