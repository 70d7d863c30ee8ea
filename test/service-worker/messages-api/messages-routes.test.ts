import { expect, test } from 'vitest';
import type { CallEngine } from '../../../src/shared/engine/engine.ts';
import { ApiError, type ApiErrorCode } from '../../../src/shared/api-error.ts';
import { ORIGIN } from '../support/test-app.ts';
import { MODELS } from '../support/test-app.ts';
import { createMessagesApp, expectPublishedForm, GOOD_BODY } from './messages-app.ts';

const app = createMessagesApp();

/** Sends the smallest valid request with these headers only. */
const send = (headers: Record<string, string>) =>
  app.fetch(new Request(`${ORIGIN}/v1/messages`, { method: 'POST', headers, body: JSON.stringify(GOOD_BODY) }));

test.each([
  [{ 'x-api-key': 'local' }, 200],
  [{ authorization: 'Bearer local' }, 200],
  [{ authorization: 'Basic x', 'x-api-key': 'local' }, 200],
  [{}, 401],
  [{ 'x-api-key': 'a b' }, 401],
  [{ 'x-api-key': 'wrong' }, 401],
  [{ authorization: 'Bearer wrong', 'x-api-key': 'local' }, 401],
])('the key in %j gets %i', async (headers, status) => {
  const response = await send({ 'content-type': 'application/json', ...headers });
  expect(response.status).toBe(status);
  const answer = { type: 'message' };
  const refusal = { type: 'error', error: { type: 'authentication_error' } };
  expect(await response.json()).toMatchObject(status === 401 ? refusal : answer);
});

test.each<readonly [ApiErrorCode, number, string]>([
  ['context_length_exceeded', 400, 'invalid_request_error'],
  ['rate_limit_exceeded', 429, 'rate_limit_error'],
  ['internal_error', 500, 'api_error'],
  ['gpu_unavailable', 503, 'overloaded_error'],
  ['engine_timeout', 504, 'timeout_error'],
])('%s is a %i with the type %s', async (code, status, type) => {
  app.service.play([{ type: 'error', error: new ApiError(code, 'Refused.').toData() }]);
  const response = await app.message(GOOD_BODY);
  const body: unknown = await response.json();
  expect(response.status).toBe(status);
  expectPublishedForm('ErrorResponse', body);
  expect(body).toMatchObject({ error: { type, message: 'Refused.' } });
});

test.each([
  ['/messages', 'GET', 405, 'invalid_request_error'],
  ['/messages/batches', 'POST', 404, 'not_found_error'],
  ['/messages/count_tokens/x', 'POST', 404, 'not_found_error'],
])('%s with %s is a %i in the form of this API', async (path, method, status, type) => {
  const response = await app.send(path, { method });
  const body: unknown = await response.json();
  expect(response.status).toBe(status);
  expectPublishedForm('ErrorResponse', body);
  expect(body).toMatchObject({ error: { type } });
});

test('other routes keep their form of errors', async () => {
  expect(await (await app.send('/messagesx')).json()).toMatchObject({ error: { code: 'unknown_url' } });
});

test('count_tokens counts the tokens of the prompt that a message would have', async () => {
  const called: unknown[] = [];
  const callEngine = (async (...call: unknown[]) => {
    called.push(call);
    return { tokens: [1, 2, 3], pieces: null };
  }) as CallEngine;
  const counting = createMessagesApp({ callEngine });
  const { model, messages } = GOOD_BODY;
  const body = { model, messages, system: 'Be brief.', tools: [{ name: 'look', input_schema: { type: 'object' } }] };
  const response = await counting.send('/messages/count_tokens', { method: 'POST', body: JSON.stringify(body) });
  const count: unknown = await response.json();
  expectPublishedForm('MessageTokensCount', count);
  expect(count).toEqual({ input_tokens: 3 });
  const request = { messages: [{ role: 'system', content: 'Be brief.' }, { role: 'user' }], tools: [{ name: 'look' }] };
  const input = { type: 'conversation', reply: true, request };
  expect(called).toMatchObject([['models/tokenize', { id: 'pocket', input }, {}]]);
});

test('models are listed and described in the form of this API to clients that send its version', async () => {
  const headers = { 'anthropic-version': '2023-06-01' };
  const list = (await (await app.send('/models', { headers })).json()) as { data: readonly object[] };
  expectPublishedForm('ModelPage', list);
  expect(list).toMatchObject({ has_more: false, first_id: 'pocket', last_id: 'org/seer' });
  const model: unknown = await (await app.send('/models/org/seer', { headers })).json();
  expect(model).toEqual(list.data[1]);
  expect(model).toMatchObject({ id: 'org/seer', created_at: '2023-11-14T22:13:20.000Z', max_input_tokens: 2048 });
  const missing = await app.send('/models/nobody', { headers });
  expect(missing.status).toBe(404);
  expectPublishedForm('ErrorResponse', await missing.json());
});

test.each<[query: string, ids: readonly string[], hasMore: boolean]>([
  ['', ['a', 'b', 'c'], false],
  ['limit=2', ['a', 'b'], true],
  ['limit=3', ['a', 'b', 'c'], false],
  ['limit=1&after_id=a', ['b'], true],
  ['after_id=c', [], false],
  ['limit=1&before_id=c', ['b'], true],
  ['before_id=a', [], false],
  ['after_id=a&before_id=c', ['b'], false],
])('the page of models for ?%s', async (query, ids, hasMore) => {
  const three = createMessagesApp({ models: async () => ['a', 'b', 'c'].map((id) => ({ ...MODELS[0]!, id })) });
  const page = { has_more: hasMore, first_id: ids[0] ?? null, last_id: ids.at(-1) ?? null };
  const data = ids.map((id) => expect.objectContaining({ id }));
  const read = async (headers: Record<string, string>): Promise<unknown> =>
    (await three.send(`/models?${query}`, { headers })).json();
  expect(await read({ 'anthropic-version': '2023-06-01' })).toEqual(expect.objectContaining({ ...page, data }));
  // Without the header of that API, only a query asks for a page.
  expect(await read({})).toEqual({ object: 'list', data, ...(query !== '' && page) });
});

test.each(['limit=0', 'limit=1001', 'limit=two', 'limit=', 'after_id=nobody', 'before_id='])(
  'the page of models for ?%s is refused by the name of the parameter',
  async (query) => {
    const headers = { 'anthropic-version': '2023-06-01' };
    const response = await app.send(`/models?${query}`, { headers });
    expect(response.status).toBe(400);
    expect(((await response.json()) as { error: object }).error).toMatchObject({
      message: expect.stringContaining(`\`${query.split('=')[0]}\``),
    });
  },
);
