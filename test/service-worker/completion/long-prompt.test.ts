import { expect, test } from 'vitest';
import { ApiError } from '../../../src/shared/api-error.ts';
import { contextLengthExceeded } from '../../../src/shared/engine/engine-errors.ts';
import { messagesErrorBody } from '../../../src/shared/http/messages-api-errors.ts';
import { readError } from '../support/read-error.ts';
import { createTestApp, GOOD_BODY, MODELS } from '../support/test-app.ts';

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

const OPENAI = /maximum context length is 2048 tokens\. However, your \w+ resulted in 2100 tokens/;
const ANTHROPIC = /^prompt is too long: 2100 tokens > 2048 maximum$/;

const GENERATING = [
  ['/chat/completions', GOOD_BODY, OPENAI],
  ['/completions', { prompt: 'a' }, OPENAI],
  ['/responses', { input: 'a', store: false }, OPENAI],
  ['/messages', { ...GOOD_BODY, max_tokens: 9 }, ANTHROPIC],
] as const;
const OTHERS = [
  ['/embeddings', { model: 'vectors', input: ['a', 'b'] }, OPENAI],
  ['/rerank', { model: 'vectors', query: 'a', documents: ['b'] }, OPENAI],
  ['/responses/input_tokens', { input: 'a' }, OPENAI],
  ['/messages/count_tokens', GOOD_BODY, ANTHROPIC],
  ['/tokenize', { messages: GOOD_BODY.messages }, OPENAI],
] as const;

test.each([
  ...[...GENERATING, ...OTHERS].map(([path, body, words]) => [path, 'before the first token', body, words] as const),
  ...GENERATING.flatMap(([path, body, words]) => [
    [path, 'before the first token', { ...body, stream: true }, words] as const,
    [path, 'after the first token', body, words] as const,
    [path, 'after the first token', { ...body, stream: true }, words] as const,
  ]),
])('%s tells of a full window %s in the words of its API: %j', async (path, moment, body, words) => {
  const error = contextLengthExceeded({ contextWindow: WINDOW }, 2100);
  const vectors = { ...MODELS[0]!, id: 'vectors', embedding: { dimensions: 2 } };
  const app = createTestApp({ models: async () => [...MODELS, vectors], callEngine: () => Promise.reject(error) });
  const said = moment === 'before the first token' ? [] : [{ type: 'delta', choice: 0, content: 'Hi' } as const];
  app.service.play([...said, { type: 'error', error: error.toData() }]);
  const response = await app.send(path, { method: 'POST', body: JSON.stringify({ model: 'pocket', ...body }) });
  const broken = 'stream' in body && said.length > 0;
  expect(response.status).toBe(broken ? 200 : 400);
  const text = await response.text();
  const objects = broken ? Array.from(text.matchAll(/^data: (.*)$/gm), ([, data = '']) => data) : [text];
  const errors = objects.flatMap((data) => (JSON.parse(data) as { error?: { message: string } }).error ?? []);
  expect(errors.map(({ message }) => message)).toEqual([expect.stringMatching(words)]);
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
