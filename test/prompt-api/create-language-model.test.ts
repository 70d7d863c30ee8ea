import { beforeEach, expect, test, vi } from 'vitest';
import { createLanguageModel } from '../../src/prompt-api/create-language-model.ts';
import { promptApiConnection } from '../support/fakes/prompt-api-connection.ts';

/** Connects to an endpoint with a model that sees images and calls tools. */
const connection = promptApiConnection(async (address) =>
  Response.json(
    address.includes('/models/')
      ? { context_window: 2048, tabserve: { capabilities: { chat: true, images: true, tools: true } } }
      : { tokens: [] },
  ),
);

const TOOL = { name: 'now', description: 'Tells the time.', inputSchema: { type: 'object' }, execute: () => 'noon' };

beforeEach(() => void vi.stubGlobal('location', { origin: 'https://site.example' }));

test.each([
  ['types of content', () => ({ expectedInputs: [{ type: 'audio' as const }].values() })],
  ['types of output', () => ({ expectedOutputs: [{ type: 'image' as const }].values() })],
  ['languages', () => ({ expectedInputs: [{ type: 'text' as const, languages: ['de'].values() }].values() })],
])('%s that the model lacks are noticed in an iterator that can be read only once', async (_name, options) => {
  const model = createLanguageModel(connection, { model: 'model', languages: ['en'] });
  expect(await model.availability(options())).toBe('unavailable');
  await expect(model.create(options())).rejects.toMatchObject({ name: 'NotSupportedError' });
});

test('tools from an iterator that can be read only once need a model that calls tools', async () => {
  const withoutTools = promptApiConnection(async () =>
    Response.json({ context_window: 2048, tabserve: { capabilities: { chat: true, images: true, tools: false } } }),
  );
  const model = createLanguageModel(withoutTools, { model: 'model' });
  expect(await model.availability({ tools: [TOOL].values() })).toBe('unavailable');
});

test('a model of an upstream, about which the endpoint knows little, is not available on this device', async () => {
  const elsewhere = promptApiConnection(async () =>
    Response.json({ id: 'model', tabserve: { state: 'upstream', upstream: 'desk' } }),
  );
  const model = createLanguageModel(elsewhere, { model: 'model' });
  expect(await model.availability()).toBe('unavailable');
  await expect(model.create()).rejects.toMatchObject({ name: 'NotSupportedError' });
});

test('each option of a session is read once', async () => {
  const read: PropertyKey[] = [];
  const options = {
    expectedInputs: [{ type: 'image' as const, languages: ['en'].values() }].values(),
    expectedOutputs: [{ type: 'text' as const }].values(),
    tools: [TOOL].values(),
    initialPrompts: [{ role: 'system' as const, content: 'Be brief.' }].values(),
  };
  const model = createLanguageModel(connection, { model: 'model', languages: ['en'] });
  await model.create(
    new Proxy(options, {
      get(target, name, receiver) {
        read.push(name);
        return Reflect.get(target, name, receiver) as unknown;
      },
    }),
  );
  for (const name of Object.keys(options)) expect(read.filter((each) => each === name)).toEqual([name]);
});

test.for([
  { status: 503, code: 'engine_unavailable', name: 'UnknownError', message: 'Not now.' },
  { status: 429, code: 'rate_limit_exceeded', name: 'UnknownError', message: 'Not now.' },
  { status: 503, code: 'gpu_unavailable', name: 'NotSupportedError', message: 'Not now.' },
  { status: 401, code: 'invalid_api_key', name: 'NotSupportedError', message: 'Not now.' },
  { status: 404, code: 'model_not_found', name: 'NotSupportedError', message: expect.stringContaining('"model"') },
])(
  'where the endpoint answers $status $code, no session can be created: $name',
  async ({ status, code, name, message }) => {
    const failing = promptApiConnection(async () =>
      Response.json({ error: { code, message: 'Not now.', param: null } }, { status }),
    );
    const model = createLanguageModel(failing, { model: 'model' });
    expect(await model.availability()).toBe('unavailable');
    await expect(model.create()).rejects.toMatchObject({ name, message });
  },
);

test('where a server sends a page in place of the endpoint’s answer, the exception says so', async () => {
  const past = promptApiConnection(async () => new Response('<!doctype html>', { status: 404 }));
  const model = createLanguageModel(past, { model: 'model' });
  await expect(model.create()).rejects.toMatchObject({ message: 'The endpoint was not reached (HTTP 404).' });
});

const cutOff = () => Promise.reject(new TypeError('Failed to fetch'));
const broken = async () =>
  new Response(new ReadableStream({ pull: (body) => body.error(new TypeError('network error')) }));

test.for([
  ['cuts off', cutOff],
  ['cuts off in its answer', broken],
] as const)('a request that the browser %s, with the service worker, is sent again', async ([, fault]) => {
  let faults = 2;
  const model = createLanguageModel(
    {
      ...connection,
      fetch: async (...asked) => (faults-- > 0 ? fault() : connection.fetch(...asked)),
    },
    { model: 'model' },
  );
  const session = await model.create();
  expect(session.contextWindow).toBe(2048);
  faults = 2;
  await session.append('Hello');
  expect(faults).toBeLessThan(0);
});

test('a request whose page is frozen meanwhile is sent again, because the browser may never answer it', async () => {
  const pending = [() => new Promise<never>(() => {}), async () => new Response(new ReadableStream())];
  const asked = vi.fn<typeof connection.fetch>((...request) => (pending.shift() ?? connection.fetch)(...request));
  const created = createLanguageModel({ ...connection, fetch: asked }, { model: 'model' }).create();
  for (const count of [1, 2]) {
    await vi.waitUntil(() => asked.mock.calls.length === count);
    await new Promise((resolve) => setTimeout(resolve, 10));
    document.dispatchEvent(new Event('resume'));
  }
  expect((await created).contextWindow).toBe(2048);
});

test('a completion, which the endpoint’s own fetch repeats, is sent once, and its failure is an exception', async () => {
  let completions = 0;
  const fetch: typeof connection.fetch = (...asked) => {
    if (!String(asked[0]).endsWith('/chat/completions')) return connection.fetch(...asked);
    completions += 1;
    return cutOff();
  };
  const session = await createLanguageModel({ ...connection, fetch }, { model: 'model' }).create();
  await expect(session.prompt('Hello')).rejects.toMatchObject({ name: 'UnknownError' });
  expect(completions).toBe(1);
});

test('where no request reaches the endpoint, the exception says so', async () => {
  const failing = createLanguageModel({ ...connection, fetch: cutOff }, { model: 'model' }).create();
  await expect(failing).rejects.toBeInstanceOf(DOMException);
  await expect(failing).rejects.toMatchObject({ name: 'UnknownError', message: 'The endpoint was not reached.' });
});

test.for([
  { code: 'engine_unavailable', retryAfter: 2, name: 'UnknownError' },
  { code: 'engine_unavailable', retryAfter: undefined, name: 'NotSupportedError' },
  { code: 'gpu_unavailable', retryAfter: undefined, name: 'NotSupportedError' },
  { code: undefined, retryAfter: undefined, name: 'UnknownError' },
])(
  'while the endpoint is not ready ($code, $retryAfter), the exception is a $name with its sentence',
  async (fault) => {
    const ready = Promise.reject(Object.assign(new Error('Not ready.'), fault));
    const model = createLanguageModel({ ...connection, ready }, { model: 'model' });
    expect(await model.availability()).toBe('unavailable');
    const failing = model.create();
    await expect(failing).rejects.toBeInstanceOf(DOMException);
    await expect(failing).rejects.toMatchObject({ name: fault.name, message: 'Not ready.' });
  },
);

test.for([
  { code: 'engine_unavailable', retryAfter: 2, name: 'UnknownError' },
  { code: 'model_load_failed', retryAfter: undefined, name: 'OperationError' },
  { code: 'model_not_found', retryAfter: undefined, name: 'NotSupportedError' },
])('where the model cannot be loaded ($code), no session can be created: $name', async (fault) => {
  const load = () => Promise.reject(Object.assign(new Error('Not loaded.'), fault));
  const model = createLanguageModel({ ...connection, load }, { model: 'model' });
  const failing = model.create();
  await expect(failing).rejects.toBeInstanceOf(DOMException);
  await expect(failing).rejects.toMatchObject({ name: fault.name, message: 'Not loaded.' });
});

test('a prompt while the endpoint starts again and fails is an exception with its sentence', async () => {
  let ready = Promise.resolve();
  const session = await createLanguageModel(Object.defineProperty({ ...connection }, 'ready', { get: () => ready }), {
    model: 'model',
  }).create();
  ready = Promise.reject(Object.assign(new Error('Not ready.'), { code: 'engine_unavailable', retryAfter: 2 }));
  const failing = session.prompt('Hello');
  await expect(failing).rejects.toBeInstanceOf(DOMException);
  await expect(failing).rejects.toMatchObject({ name: 'UnknownError', message: 'Not ready.' });
});
