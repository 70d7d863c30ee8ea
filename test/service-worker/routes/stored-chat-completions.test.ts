import OpenAI6 from 'openai';
import OpenAI7 from 'openai7';
import * as fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { StoppableEndpoint, SITE } from '../../support/fakes/stoppable-endpoint.ts';
import { readError } from '../support/read-error.ts';

let endpoint: StoppableEndpoint;

beforeEach(() => {
  endpoint = StoppableEndpoint.ofPage();
  endpoint.engine.runFreely();
});

afterEach(() => {
  endpoint.close();
  vi.unstubAllGlobals();
});

const send = (path: string, init: RequestInit = {}) =>
  endpoint.fetch(`${SITE}v1/chat/completions${path}`, {
    ...init,
    headers: { authorization: 'Bearer local', 'content-type': 'application/json' },
  });

/** Stores a finished answer. Returns its id. */
async function storeOne(): Promise<string> {
  const body = JSON.stringify({ model: 'a', messages: [{ role: 'user', content: '1' }], store: true });
  return ((await (await send('', { method: 'POST', body })).json()) as { id: string }).id;
}

async function collect<Item>(pages: AsyncIterable<Item>): Promise<Item[]> {
  const items: Item[] = [];
  for await (const item of pages) items.push(item);
  return items;
}

// The two versions differ in private members only, so one type serves for both.
describe.each([
  ['openai 7', OpenAI7],
  ['openai 6', OpenAI6 as unknown as typeof OpenAI7],
])('%s', (_name, Client) => {
  const connect = (apiKey = 'local') =>
    new Client({ apiKey, baseURL: `${SITE}v1`, fetch: endpoint.fetch as typeof fetch, maxRetries: 0 }).chat.completions;

  const store = async (text: string, metadata: Record<string, string> | null = null) => {
    const messages = [
      { role: 'system' as const, content: 'Be brief.' },
      { role: 'user' as const, content: text },
    ];
    const stream = await connect().create({ model: 'a', messages, store: true, metadata, stream: true });
    let id = '';
    for await (const chunk of stream) ({ id } = chunk);
    return id;
  };

  test('retrieves a stored completion, changes its metadata and deletes it', async () => {
    const completions = connect();
    const id = await store('1 2', { topic: 'numbers' });
    const stored = await completions.retrieve(id);
    expect(stored).toMatchObject({
      id,
      object: 'chat.completion',
      model: 'a',
      metadata: { topic: 'numbers' },
      request_id: expect.stringMatching(/^req_/),
      choices: [{ index: 0, message: { role: 'assistant', content: '12' }, finish_reason: 'stop' }],
      usage: { completion_tokens: 2 },
    });
    const updated = await completions.update(id, { metadata: { topic: 'digits', seen: 'yes' } });
    expect(updated).toEqual({ ...stored, metadata: { topic: 'digits', seen: 'yes' } });
    expect(await completions.retrieve(id)).toEqual(updated);
    expect(await completions.update(id, { metadata: null })).toEqual({ ...stored, metadata: {} });
    expect(await completions.delete(id)).toMatchObject({ id, object: 'chat.completion.deleted', deleted: true });
    await expect(completions.retrieve(id)).rejects.toBeInstanceOf(Client.NotFoundError);
    expect(await collect(completions.list())).toEqual([]);
  });

  test('lists the completions of its key page by page, in either order, by model and metadata', async () => {
    const ids: string[] = [];
    for (const number of [1, 2, 3, 4, 5]) ids.push(await store(`${number}`, { parity: number % 2 ? 'odd' : 'even' }));
    const completions = connect();
    const listed = async (query: OpenAI7.ChatCompletionListParams) =>
      (await collect(completions.list(query))).map(({ id }) => id);
    expect(await listed({})).toEqual(ids);
    expect(await listed({ limit: 2, order: 'desc' })).toEqual(ids.toReversed());
    expect(await listed({ limit: 1, metadata: { parity: 'odd' } })).toEqual([ids[0], ids[2], ids[4]]);
    expect(await listed({ model: 'another' })).toEqual([]);
    expect(await collect(connect('another').list())).toEqual([]);
    const page = await completions.list({ limit: 2, after: ids[1]! });
    expect(page.data.map(({ choices }) => choices[0]!.message.content)).toEqual(['3', '4']);
    expect(page.has_more).toBe(true);
  });

  test('a page begins after a completion whose metadata have changed since', async () => {
    const ids: string[] = [];
    for (const number of [1, 2, 3]) ids.push(await store(`${number}`, { state: 'new' }));
    const completions = connect();
    const pages = completions.list({ limit: 1, metadata: { state: 'new' } });
    const listed: string[] = [];
    for await (const { id } of pages) {
      listed.push(id);
      await completions.update(id, { metadata: { state: 'seen' } });
    }
    expect(listed).toEqual(ids);
  });

  test('lists the messages of the request', async () => {
    const id = await store('1 2');
    const messages = await collect(connect().messages.list(id, { limit: 1 }));
    expect(messages).toMatchObject([
      { id: `${id}-0`, role: 'system', content: 'Be brief.', content_parts: null },
      { id: `${id}-1`, role: 'user', content: '1 2', content_parts: null },
    ]);
  });
});

test('messages are listed with the role and the name with which they were sent', async () => {
  const given = [
    { role: 'developer', content: 'Be brief.' },
    { role: 'system', content: 'Be kind.', name: 'rules' },
    { role: 'user', content: '1', name: 'Ann' },
    { role: 'function', content: '2', name: 'count' },
    { role: 'user', content: '3', name: null },
    { role: 'assistant', content: 'Sure', name: 'Bob', prefix: true },
  ];
  const body = JSON.stringify({ model: 'a', messages: given, store: true });
  const { id } = (await (await send('', { method: 'POST', body })).json()) as { id: string };
  const { data } = (await (await send(`/${id}/messages`)).json()) as { data: object[] };
  expect(data).toMatchObject(given.map(({ role, content, name = null }) => ({ role, content, name })));
});

test('the beginning of an answer is listed as the last message of its request', async () => {
  const given = [
    { role: 'user', content: '1' },
    { role: 'assistant', content: 'Sure', prefix: true },
  ];
  const body = JSON.stringify({ model: 'a', messages: given, store: true });
  const { id } = (await (await send('', { method: 'POST', body })).json()) as { id: string };
  const { data } = (await (await send(`/${id}/messages`)).json()) as { data: object[] };
  expect(data).toMatchObject([
    { role: 'user', content: '1' },
    { id: `${id}-1`, role: 'assistant', content: 'Sure' },
  ]);
});

test('running, unstored and failed completions are not listed', async () => {
  const ask = (fields: object) =>
    send('', {
      method: 'POST',
      body: JSON.stringify({ model: 'a', messages: [{ role: 'user', content: '1' }], ...fields }),
    });
  await (await ask({})).text();
  await (await ask({ store: false, metadata: { topic: 'numbers' } })).text();
  const { id } = (await (await ask({ store: true })).json()) as { id: string };
  endpoint.answers.logs.set(id, endpoint.answers.logs.get(id)!.slice(0, 2));
  expect(await (await send('')).json()).toEqual({
    object: 'list',
    data: [],
    first_id: null,
    last_id: null,
    has_more: false,
  });
});

test.each([
  ['?limit=0', {}, 'limit'],
  ['?limit=101', {}, 'limit'],
  ['?limit=many', {}, 'limit'],
  ['?limit=0x10', {}, 'limit'],
  ['?limit=1e2', {}, 'limit'],
  ['?limit=2.0', {}, 'limit'],
  ['?limit=%201', {}, 'limit'],
  ['?limit=', {}, 'limit'],
  ['?order=random', {}, 'order'],
  ['?after=chatcmpl-unknown', {}, 'after'],
  ['/ID/messages?limit=-1', {}, 'limit'],
  ['/ID', { body: '{}' }, 'metadata'],
  ['/ID', { body: '[]' }, 'body'],
  ['/ID', { body: '{"metadata": "topic"}' }, 'metadata'],
  ['/ID', { body: '{"metadata": {"topic": 1}}' }, 'metadata.topic'],
])('%s with %j is refused with the parameter %s', async (path, { body }: { body?: string }, param) => {
  const id = await storeOne();
  const response = await send(path.replace('ID', id), body === undefined ? {} : { method: 'POST', body });
  expect(await readError(response)).toMatchObject({ status: 400, param });
});

/** How many malformed requests are sent. */
const RUNS = Number(process.env['MALFORMED_REQUESTS'] ?? 500);

test(`${RUNS} requests of any form to the routes of stored completions are answered or get a 4xx`, async () => {
  const text = fc.string({ unit: 'binary', maxLength: 30 });
  const query = fc.dictionary(fc.oneof(fc.constantFrom('limit', 'after', 'order', 'model', 'metadata[a]'), text), text);
  const request = fc.record({
    method: fc.constantFrom('GET', 'HEAD', 'POST', 'DELETE', 'PUT'),
    path: fc.oneof(
      fc.constantFrom('', '/ID', '/ID/messages', '/unknown', '/%ff', '/ID/other', '/__proto__'),
      text.map((part) => `/${encodeURIComponent(part)}`),
    ),
    query: query.map((pairs) => new URLSearchParams(pairs).toString()),
    body: fc.oneof(
      fc.json(),
      text,
      fc.json().map((metadata) => `{"metadata":${metadata}}`),
    ),
  });
  const property = fc.asyncProperty(request, async ({ method, path, query, body }) => {
    const [id = await storeOne()] = endpoint.answers.answers.keys();
    const isRead = method === 'GET' || method === 'HEAD';
    const response = await send(`${path.replace('ID', id)}?${query}`, { method, ...(isRead ? {} : { body }) });
    const answer = await response.text();
    if (response.status >= 500 || (answer === '') !== (method === 'HEAD'))
      throw new Error(`${response.status} ${answer}`);
    if (answer !== '') JSON.parse(answer);
  });
  const { failed, counterexample, errorInstance } = await fc.check(property, { seed: 20_261_122, numRuns: RUNS });
  expect(failed, `${JSON.stringify(counterexample)}: ${String(errorInstance)}`).toBe(false);
}, 300_000);

test('a list leaves out a completion that is deleted while it is read', async () => {
  const ids = [await storeOne(), await storeOne()];
  await vi.waitFor(() => expect(endpoint.answers.logs.size).toBe(2));
  const listed = await endpoint.answers.list();
  vi.spyOn(endpoint.answers, 'list').mockImplementation(async () => {
    await endpoint.answers.delete(ids[0]!);
    return listed;
  });
  const page = (await (await send('')).json()) as { data: { id: string }[] };
  expect(page.data.map(({ id }) => id)).toEqual([ids[1]]);
});
