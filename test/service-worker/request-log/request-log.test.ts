import { afterEach, beforeEach, expect, test, vi, type Mock } from 'vitest';
import { ApiError } from '../../../src/shared/api-error.ts';
import type { AppDependencies } from '../../../src/service-worker/create-app.ts';
import { createRequestLog } from '../../../src/service-worker/request-log/request-log.ts';
import type { CompletionEvent } from '../../../src/shared/engine/completion-event.ts';
import type { RequestRecord } from '../../../src/shared/storage/request-record.ts';
import { answerIn, createScriptedService, type ScriptedService } from '../support/scripted-service.ts';
import { createTestApp, GOOD_BODY, MODELS, ORIGIN, type TestApp } from '../support/test-app.ts';

let records: RequestRecord[];
let service: ScriptedService;
let keepsContent: Mock<() => Promise<boolean>>;

beforeEach(() => {
  records = [];
  service = createScriptedService();
  keepsContent = vi.fn<() => Promise<boolean>>(async () => false);
});

afterEach(() => void vi.restoreAllMocks());

function createApp(overrides: Partial<AppDependencies> = {}): TestApp {
  return createTestApp({
    service,
    findKey: async (token) => (token === 'local' ? { name: 'my own key', models: null } : null),
    observe: createRequestLog({ write: async (record) => void records.push(record), keepsContent }),
    ...overrides,
  });
}

function send(path: string, body?: unknown, key = 'local', signal?: AbortSignal): Promise<Response> {
  const init: RequestInit = { headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' } };
  if (body !== undefined) Object.assign(init, { method: 'POST', body: JSON.stringify(body) });
  if (signal !== undefined) init.signal = signal;
  return createApp().fetch(new Request(`${ORIGIN}/v1${path}`, init));
}

const theRecord = () =>
  vi.waitFor(
    () => {
      expect(records).toHaveLength(1);
      return records[0]!;
    },
    { timeout: 30_000 },
  );

test('a streamed response is logged with its key, model and tokens when it has ended', async () => {
  service.play([]);
  const answer = send('/chat/completions', { ...GOOD_BODY, stream: true });
  await vi.waitFor(() => expect(service.completions).toHaveLength(1));
  for (const event of answerIn('Hel', 'lo.').slice(0, 2)) service.completions[0]!.emit(event);
  const response = await answer;
  expect(records).toEqual([]);
  for (const event of answerIn('Hel', 'lo.').slice(2)) service.completions[0]!.emit(event);
  await response.text();
  expect(await theRecord()).toMatchObject({
    requestId: response.headers.get('x-request-id'),
    method: 'POST',
    path: '/v1/chat/completions',
    key: 'my own key',
    model: 'pocket',
    status: 200,
    streamed: true,
    promptTokens: 12,
    completionTokens: 5,
    outcome: 'complete',
    content: null,
  });
});

test('a JSON response is logged with the same numbers', async () => {
  await (await send('/chat/completions', GOOD_BODY)).text();
  expect(await theRecord()).toMatchObject({
    streamed: false,
    status: 200,
    promptTokens: 12,
    completionTokens: 5,
    outcome: 'complete',
  });
});

test('prompt and output are stored only if that is permitted', async () => {
  keepsContent.mockResolvedValue(true);
  await (await send('/chat/completions', { ...GOOD_BODY, stream: true })).text();
  const { content } = await theRecord();
  expect(JSON.parse(content!.request)).toMatchObject(GOOD_BODY);
  expect(content!.response).toBe('Hello.');
});

test('no response waits for the decision whether its content is stored, and then all of it is', async () => {
  let allow!: (keep: boolean) => void;
  keepsContent.mockReturnValue(new Promise((resolve) => (allow = resolve)));
  expect(await (await send('/chat/completions', { ...GOOD_BODY, stream: true })).text()).toContain('[DONE]');
  expect(records).toEqual([]);
  allow(true);
  expect((await theRecord()).content).toEqual({
    request: JSON.stringify({ ...GOOD_BODY, stream: true }),
    response: 'Hello.',
  });
});

test('no record holds the key itself', async () => {
  keepsContent.mockResolvedValue(true);
  await (await send('/chat/completions', GOOD_BODY)).text();
  await theRecord();
  expect(JSON.stringify(records)).not.toContain('local');
});

test('a disconnected client is logged as such', async () => {
  service.play(answerIn('Hel').slice(0, 2));
  const response = await send('/chat/completions', { ...GOOD_BODY, stream: true });
  await response.body!.cancel();
  expect(await theRecord()).toMatchObject({ status: 200, outcome: 'cancelled', completionTokens: null });
});

test('a completion that the client cancelled by stream id is logged as cancelled', async () => {
  service.play(answerIn('Hel').slice(0, 2));
  const response = await send('/chat/completions', { ...GOOD_BODY, stream: true });
  service.completions[0]!.emit({ type: 'error', error: new ApiError('stream_not_found', 'Cancelled.').toData() });
  await response.text();
  expect(await theRecord()).toMatchObject({ status: 200, outcome: 'cancelled' });
});

test('a failure during a stream is logged with its code although the status was 200', async () => {
  const lost = { status: 503, type: 'server_error', code: 'gpu_device_lost', param: null, message: 'Lost.' } as const;
  service.play([...answerIn('Hel').slice(0, 2), { type: 'error', error: lost }]);
  await (await send('/chat/completions', { ...GOOD_BODY, stream: true })).text();
  expect(await theRecord()).toMatchObject({ status: 200, outcome: 'gpu_device_lost' });
});

const refusals = [
  {
    name: 'a wrong key',
    send: () => send('/chat/completions', GOOD_BODY, 'wrong'),
    record: { status: 401, key: null, outcome: 'invalid_api_key', model: null },
  },
  {
    name: 'an unknown model',
    send: () => send('/chat/completions', { ...GOOD_BODY, model: 'nobody' }),
    record: { status: 404, key: 'my own key', outcome: 'model_not_found', model: 'nobody' },
  },
  {
    name: 'an unknown address',
    send: () => send('/nowhere'),
    record: { status: 404, outcome: 'unknown_url', path: '/v1/nowhere' },
  },
];

test.each(refusals)('an error for $name is logged, and reaches the client unchanged', async ({ send, record }) => {
  const response = await send();
  expect(await response.json()).toMatchObject({ error: { code: record.outcome } });
  expect(await theRecord()).toMatchObject(record);
});

test('the list of models is logged too', async () => {
  expect(await (await send('/models')).json()).toMatchObject({ object: 'list' });
  expect(await theRecord()).toMatchObject({
    method: 'GET',
    path: '/v1/models',
    status: 200,
    model: null,
    outcome: 'complete',
  });
});

test.each([
  { name: 'accepted', key: 'local', record: { status: 413, outcome: 'request_too_large' } },
  { name: 'wrong', key: 'wrong', record: { status: 401, outcome: 'invalid_api_key' } },
])('an endless body with a key that is $name is refused, logged and cancelled', async ({ key, record }) => {
  const pulled = vi.fn<(controller: ReadableStreamDefaultController) => void>((controller) =>
    controller.enqueue(new Uint8Array(1024 * 1024)),
  );
  const init: RequestInit & { duplex: 'half' } = {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: new ReadableStream({ pull: pulled }),
    duplex: 'half',
  };
  const response = await createApp().fetch(new Request(`${ORIGIN}/v1/chat/completions`, init));
  expect(response.status).toBe(record.status);
  expect(await theRecord()).toMatchObject({ ...record, model: null });
  const pieces = pulled.mock.calls.length;
  await new Promise((resolve) => setTimeout(resolve));
  expect(pulled).toHaveBeenCalledTimes(pieces);
});

test('the body of a request with a wrong key is not read', async () => {
  const request = new Request(`${ORIGIN}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: 'Bearer wrong' },
    body: JSON.stringify(GOOD_BODY),
  });
  await createApp().fetch(request);
  await theRecord();
  expect(request.bodyUsed).toBe(false);
});

test('a body that is not JSON is logged with its code, and with its text if that is permitted', async () => {
  keepsContent.mockResolvedValue(true);
  expect((await createApp().chat('{"model": "pocket",')).status).toBe(400);
  expect(await theRecord()).toMatchObject({
    status: 400,
    key: 'my own key',
    model: null,
    outcome: 'invalid_json',
    content: { request: '{"model": "pocket",', response: '' },
  });
});

test('a request with an invalid field is logged with the model that it names', async () => {
  await createApp().chat({ ...GOOD_BODY, temperature: 'hot' });
  expect(await theRecord()).toMatchObject({ status: 400, model: 'pocket', outcome: 'invalid_type' });
});

test('an alias is logged as its model', async () => {
  await (await createApp().chat({ ...GOOD_BODY, model: 'gpt-4o-mini' })).text();
  expect(await theRecord()).toMatchObject({ model: 'pocket' });
});

test('a response whose engine died is logged with that error', async () => {
  service.play([]);
  const answer = send('/chat/completions', { ...GOOD_BODY, stream: true });
  await vi.waitFor(() => expect(service.completions).toHaveLength(1));
  service.completions[0]!.emit(...answerIn('Hel').slice(0, 2));
  const response = await answer;
  service.completions[0]!.vanish();
  await response.text();
  expect(await theRecord()).toMatchObject({ status: 200, outcome: 'engine_unavailable' });
});

test('the configured body limit applies to the app and to the log', async () => {
  keepsContent.mockResolvedValue(true);
  const app = createApp({ settings: { maxBodyBytes: 1000 } });
  expect((await app.chat({ ...GOOD_BODY, user: 'x'.repeat(1000) })).status).toBe(413);
  expect(await theRecord()).toMatchObject({ outcome: 'request_too_large', content: { request: '', response: '' } });
});

test.each([true, false])('whether content may be stored (%j) is queried once per request', async (allowed) => {
  keepsContent.mockResolvedValue(allowed);
  await (await send('/chat/completions', { ...GOOD_BODY, stream: true })).text();
  await theRecord();
  expect(keepsContent).toHaveBeenCalledTimes(1);
});

test('if the setting for content cannot be read, the request succeeds and no content is stored', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  keepsContent.mockRejectedValue(new Error('The database is closed.'));
  expect((await send('/chat/completions', GOOD_BODY)).status).toBe(200);
  expect(await theRecord()).toMatchObject({ outcome: 'complete', content: null });
});

/** How often a streamed exchange decodes bytes, clones a message, and reads the text of a delta. */
async function countReads(app: TestApp): Promise<object> {
  const decode = vi.spyOn(TextDecoder.prototype, 'decode');
  const clones = [vi.spyOn(Request.prototype, 'clone'), vi.spyOn(Response.prototype, 'clone')];
  const content = vi.fn<() => string>(() => 'Hello.');
  const delta: CompletionEvent = Object.defineProperty({ type: 'delta', choice: 0 }, 'content', { get: content });
  service.play(answerIn('').map((event) => (event.type === 'delta' ? delta : event)));
  const response = await app.chat({ ...GOOD_BODY, stream: true });
  const reader = response.body!.getReader();
  while (!(await reader.read()).done);
  const counts = {
    decoded: decode.mock.calls.length,
    cloned: clones.flatMap(({ mock }) => mock.calls).length,
    read: content.mock.calls.length,
  };
  vi.restoreAllMocks();
  return counts;
}

test('without content in the log, an exchange buffers nothing more than without a log', async () => {
  const plain = await countReads(createTestApp({ service }));
  expect(await countReads(createApp())).toEqual(plain);
  expect(plain).toMatchObject({ cloned: 0 });
  expect(await theRecord()).toMatchObject({ outcome: 'complete', content: null });
  keepsContent.mockResolvedValue(true);
  expect(await countReads(createApp()), 'it would show').not.toEqual(plain);
});

test('embeddings are logged with their texts and tokens, without a speed', async () => {
  keepsContent.mockResolvedValue(true);
  const vectors = { ...MODELS[0]!, id: 'vectors', embedding: { dimensions: 2 } };
  const app = createApp({ models: async () => [vectors] });
  service.play([
    { type: 'prefill' },
    { type: 'delta', choice: 0, embedding: Float32Array.of(0.6, 0.8) },
    { type: 'done', usage: { promptTokens: 3, completionTokens: 0, cachedTokens: 0, reasoningTokens: 0 } },
  ]);
  const body = JSON.stringify({ model: 'vectors', input: 'a secret' });
  await (await app.send('/embeddings', { method: 'POST', body })).text();
  const { outcome, model, promptTokens, completionTokens, tokensPerSecond, content } = await theRecord();
  expect({ outcome, model, promptTokens, completionTokens, tokensPerSecond }).toEqual({
    outcome: 'complete',
    model: 'vectors',
    promptTokens: 3,
    completionTokens: 0,
    tokensPerSecond: null,
  });
  expect(content).toEqual({ request: body, response: '' });
});

test('a request that forbids logging succeeds and is not logged', async () => {
  for (const log of ['none', 'memory', 'all']) {
    const headers = { authorization: 'Bearer local', 'x-tabserve-log': log };
    expect((await createApp().fetch(new Request(`${ORIGIN}/v1/models`, { headers }))).status).toBe(200);
  }
  expect(await theRecord()).toMatchObject({ path: '/v1/models' });
});
