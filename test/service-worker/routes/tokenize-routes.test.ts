import { expect, test } from 'vitest';
import type { ApiErrorCode } from '../../../src/shared/api-error.ts';
import { ApiError } from '../../../src/shared/api-error.ts';
import type { CallEngine } from '../../../src/shared/engine/engine.ts';
import { findServerError } from '../support/find-server-error.ts';
import { readError } from '../support/read-error.ts';
import { createTestApp, GOOD_BODY, type TestApp } from '../support/test-app.ts';

const post = (app: TestApp, path: string, body: object) =>
  app.send(path, { method: 'POST', body: JSON.stringify(body) });

/** An app whose engine returns `result` for every call, and the calls. */
function withEngine(result: unknown): { app: TestApp; calls: unknown[][] } {
  const calls: unknown[][] = [];
  const callEngine = (async (...call: unknown[]) => {
    calls.push(call);
    if (result instanceof Error) throw result;
    return result;
  }) as CallEngine;
  return { app: createTestApp({ callEngine, settings: { headersTimeout: 50 } }), calls };
}

const TOKENS = { tokens: [5, 6], pieces: ['a', ' b'] };
const text = (content: string, prefix: boolean, markers = true) => ({ type: 'text', text: content, prefix, markers });

test.each<[object, object, boolean]>([
  [{ content: 'a b' }, text('a b', false), false],
  [{ content: '', add_special: true }, text('', true), false],
  [{ content: 'a', parse_special: false, with_pieces: true }, text('a', false, false), true],
  [{ prompt: 'a' }, text('a', true), false],
  [{ prompt: 'a', add_special_tokens: false, return_token_strs: true }, text('a', false), true],
  [{ model: 'gpt-4o-mini', prompt: 'a', messages: null }, text('a', true), false],
])('%j is the input of the engine', async (body, input, pieces) => {
  const { app, calls } = withEngine(TOKENS);
  expect((await post(app, '/tokenize', body)).status).toBe(200);
  expect(calls).toEqual([
    ['models/tokenize', { id: 'pocket', input, pieces }, { requestId: expect.stringMatching(/^req_/), clientId: '' }],
  ]);
});

test('a conversation is tokenized as chat completions do', async () => {
  const { app, calls } = withEngine(TOKENS);
  const tools = [{ type: 'function', function: { name: 'f' } }];
  await post(app, '/tokenize', { ...GOOD_BODY, tools, add_generation_prompt: false });
  const request = await app.received({ tools });
  expect(calls[0]?.[1]).toEqual({
    id: 'pocket',
    pieces: false,
    input: { type: 'conversation', request, reply: false },
  });
});

test.each<[object, object]>([
  [{ prompt: 'a b' }, { tokens: [5, 6], token_strs: null }],
  [
    { prompt: 'a b', return_token_strs: true },
    { tokens: [5, 6], token_strs: ['a', ' b'] },
  ],
  [
    { content: 'a b', with_pieces: true },
    {
      tokens: [
        { id: 5, piece: 'a' },
        { id: 6, piece: ' b' },
      ],
      token_strs: null,
    },
  ],
])('%j is answered as by llama-server and vLLM', async (body, answer) => {
  const { app } = withEngine(TOKENS);
  expect(await (await post(app, '/tokenize', body)).json()).toEqual({ count: 2, max_model_len: 2048, ...answer });
});

test('the beginning of an answer is tokenized with the conversation', async () => {
  const { app, calls } = withEngine(TOKENS);
  const messages = [...GOOD_BODY.messages, { role: 'assistant', content: 'Once' }];
  await post(app, '/tokenize', { messages, continue_final_message: true, add_generation_prompt: false });
  const request = expect.objectContaining({ answerPrefix: 'Once' }) as object;
  expect(calls[0]?.[1]).toMatchObject({ input: { type: 'conversation', request, reply: true } });
});

test('the text of tokens has both names', async () => {
  const { app, calls } = withEngine('a b');
  expect(await (await post(app, '/detokenize', { tokens: [5, 6] })).json()).toEqual({ content: 'a b', prompt: 'a b' });
  expect(calls[0]?.slice(0, 2)).toEqual(['models/detokenize', { id: 'pocket', tokens: [5, 6] }]);
});

test.each<[string, object, ApiErrorCode, string | null]>([
  ['/tokenize', {}, 'missing_required_parameter', 'content'],
  ['/tokenize', { content: 'a', prompt: 'b' }, 'missing_required_parameter', 'content'],
  ['/tokenize', { content: 1 }, 'invalid_type', 'content'],
  ['/tokenize', { content: 'a'.repeat(2 ** 20 + 1) }, 'request_too_large', null],
  ['/tokenize', { messages: [] }, 'empty_array', 'messages'],
  [
    '/tokenize',
    { messages: GOOD_BODY.messages, continue_final_message: true },
    'invalid_value',
    'continue_final_message',
  ],
  ['/tokenize', { prompt: 'a', model: 'nobody' }, 'model_not_found', 'model'],
  [
    '/tokenize',
    {
      model: 'org/seer',
      messages: [{ role: 'user', content: [{ type: 'image_url', image_url: 'data:image/png;base64,AAAA' }] }],
    },
    'unsupported_value',
    'messages[0].content[0].type',
  ],
  ['/detokenize', {}, 'missing_required_parameter', 'tokens'],
  ['/detokenize', { tokens: 'a' }, 'invalid_type', 'tokens'],
  ['/detokenize', { tokens: [1, -1] }, 'invalid_type', 'tokens[1]'],
])('%s refuses %j', async (path, body, code, param) => {
  const { app, calls } = withEngine(TOKENS);
  expect(await readError(await post(app, path, body))).toMatchObject({ code, param });
  expect(calls).toEqual([]);
});

test('an engine failure, and a model that is not ready in time, have their status', async () => {
  const failed = withEngine(new ApiError('gpu_unavailable', 'There is no graphics device.'));
  expect(await readError(await post(failed.app, '/detokenize', { tokens: [] }))).toMatchObject({
    code: 'gpu_unavailable',
  });
  const waiting = withEngine(new Promise(() => {}));
  const response = await post(waiting.app, '/tokenize', { content: 'a' });
  expect(response.headers.get('retry-after')).toBe('1');
  expect(await readError(response)).toMatchObject({ status: 503, code: 'model_loading' });
});

test.each([
  ['/tokenize', ['content', 'prompt', 'messages', 'tools', 'model', 'with_pieces', 'add_special', 'parse_special']],
  ['/detokenize', ['tokens', 'model']],
])(
  'malformed requests to %s get a 4xx or an answer, never a 5xx',
  async (path, names) => {
    const { app } = withEngine(TOKENS);
    expect(await findServerError(names, (fields) => post(app, path, fields))).toBeNull();
  },
  300_000,
);
