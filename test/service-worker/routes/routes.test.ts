import { describe, expect, test } from 'vitest';
import type { GgufFacts } from '../../../src/shared/models/model-facts.ts';
import { createApp } from '../../../src/service-worker/create-app.ts';
import { readError } from '../support/read-error.ts';
import { expectForm } from '../support/reply-schemas.ts';
import { createScriptedService } from '../support/scripted-service.ts';
import { createTestApp, GOOD_BODY, MODELS, ORIGIN } from '../support/test-app.ts';
import { appDependencies } from '../support/app-dependencies.ts';

const GGUF_FACTS: GgufFacts = {
  architecture: 'llama',
  name: null,
  licence: null,
  parameters: null,
  quantization: null,
  contextLength: null,
  hasChatTemplate: true,
  bytes: null,
  cacheBytesPerToken: null,
  sha256: null,
};

const CHAT = 'GET, HEAD, POST, OPTIONS';
const STORED_CHAT = 'GET, HEAD, POST, DELETE, OPTIONS';
const WRITE = 'POST, OPTIONS';
const READ = 'GET, HEAD, OPTIONS';
const SERVED = [
  ['/chat/completions', CHAT],
  ['/chat/completions/', CHAT],
  ['/chat/completions/chatcmpl-1', STORED_CHAT],
  ['/chat/completions/chatcmpl-1/messages', READ],
  ['/completions', WRITE],
  ['/responses', WRITE],
  ['/openapi.json', READ],
  ['/embeddings', WRITE],
  ['/tokenize', WRITE],
  ['/detokenize', WRITE],
  ['/models', READ],
  ['/models/', READ],
  ['/models?limit=1', READ],
  ['/models/pocket', READ],
  ['/models/never-heard-of', READ],
] as const;
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'PURGE'];

describe.each(SERVED)('%s', (path, allow) => {
  test('OPTIONS needs no key and has no body', async () => {
    const response = await createTestApp().send(path, { method: 'OPTIONS', headers: { authorization: '' } });
    expect(response.status).toBe(204);
    expect(await response.text()).toBe('');
    expect(Object.fromEntries(response.headers)).toMatchObject({
      allow,
      'access-control-allow-origin': '*',
      'access-control-allow-methods': allow,
      'access-control-allow-headers': '*, authorization',
      'access-control-max-age': expect.stringMatching(/^\d+$/),
      'cache-control': 'no-store',
      'x-request-id': expect.stringMatching(/^req_[0-9a-f]{32}$/),
    });
  });

  test.each(METHODS.filter((method) => !allow.split(', ').includes(method)))('%s is refused', async (method) => {
    const response = await createTestApp().send(path, { method });
    expect(response.status).toBe(405);
    expect(response.headers.get('allow')).toBe(allow);
    expect(response.headers.get('content-type')).toBe('application/json');
  });

  test.each(METHODS)('%s without a key is a 401, whether the method is served or not', async (method) => {
    const response = await createTestApp().send(path, { method, headers: { authorization: '' } });
    expect(response.status).toBe(401);
    expect(response.headers.get('www-authenticate')).toBe('Bearer');
  });
});

test('an unsupported method gets the usual error object', async () => {
  const error = await readError(await createTestApp().send('/models/pocket', { method: 'DELETE' }));
  expect(error).toMatchObject({
    status: 405,
    type: 'invalid_request_error',
    code: 'method_not_supported',
    param: null,
  });
});

test.each([
  '',
  '/',
  '/Models',
  '/chat',
  '/chat/Completions',
  '/chat%2Fcompletions',
  '/chat/completions//',
  '/models//',
  '/models/%',
  '/models/%E0%A4%A',
  '/completion',
  '/embedding',
  '/response',
  '/../v2/models',
])('nothing is served at /v1%s, for any method', async (path) => {
  for (const method of ['GET', 'POST', 'DELETE', 'OPTIONS']) {
    const response = await createTestApp().send(path, { method, headers: { authorization: '' } });
    expect(await readError(response)).toMatchObject({ status: 404, code: 'unknown_url', param: null });
  }
});

const LACKING =
  'agents assistants audio/speech audio/transcriptions batches chatkit/sessions containers conversations edits ' +
  'engines/davinci/completions evals fine-tunes fine_tuning/jobs images/edits images/generations ' +
  'live/sessions moderations organization/users realtime/sessions skills threads/thread_1/messages uploads ' +
  'videos webhook_endpoints';

test.each(LACKING.split(' '))('the advice for /v1/%s sends nothing to a server', async (path) => {
  const { message } = await readError(await createTestApp().send(`/${path}`, { method: 'POST' }));
  // Browsers may send what a microphone hears, and what a voice is to say, to a server of their vendor.
  expect(message).not.toContain('SpeechRecognition');
  expect(message.includes('speechSynthesis')).toBe(message.includes('localService'));
});

test.each(LACKING.split(' '))(
  "the API's route /v1/%s is not offered, and the message says what to do instead",
  async (path) => {
    const { message, ...error } = await readError(await createTestApp().send(`/${path}`, { method: 'POST' }));
    expect(error).toMatchObject({ status: 404, code: 'unknown_url', param: null });
    expect(message).toMatch(
      new RegExp(`^\`/v1/(${path}|${path.split('/')[0]})\` is not offered here\\. [A-Z][^{}]+\\.$`),
    );
  },
);

test('the properties are those of the named model, else of the first, in the form of llama-server', async () => {
  const models = [MODELS[0]!, { ...MODELS[1]!, contextWindow: 512, parallel: 3 }];
  const app = createTestApp({ models: async () => models });
  const properties = async (query: string) => (await app.send(`/props${query}`)).json();
  expect(await properties('')).toMatchObject({
    default_generation_settings: { n_ctx: 2048, params: { temperature: 0.7, top_p: 0.95 } },
    total_slots: 1,
    model_alias: 'pocket',
    modalities: { vision: false, audio: false },
  });
  expect(await properties('?model=org/seer')).toMatchObject({
    default_generation_settings: { n_ctx: 512 },
    total_slots: 3,
    modalities: { vision: true },
  });
  expect(await readError(await app.send('/props?model=nobody'))).toMatchObject({ status: 404, param: 'model' });
  const narrow = await app.send('/props', { headers: { authorization: 'Bearer narrow' } });
  expect(await narrow.json()).toMatchObject({ model_alias: 'org/seer' });
});

test.each([
  ['/v1/chat/completions', /^Nothing is served at this address\. The base URL ends with \/v1 already\. Chat/],
  ['/constructor', /^Nothing is served at this address\. Chat completions are at \/v1\/chat\/completions\.$/],
])('the message for /v1%s says where chat completions are', async (path, message) => {
  expect((await readError(await createTestApp().send(path))).message).toMatch(message);
});

test('a model is found by its id, with or without an escaped slash, and by its alias', async () => {
  const app = createTestApp();
  const paths = {
    '/models/org/seer': 'org/seer',
    '/models/org%2Fseer': 'org/seer',
    '/models/org%2fseer/': 'org/seer',
    '/models/gpt-4o-mini': 'pocket',
  };
  for (const [path, id] of Object.entries(paths)) {
    const response = await app.send(path);
    expect(response.status).toBe(200);
    const model = (await response.json()) as { id: string };
    expectForm('model', model);
    expect(model.id).toBe(id);
  }
});

test.each([
  [
    'nobody',
    'local',
    /^The model "nobody" does not exist, or this key may not use it\. It may use: `pocket`, `org\/seer`\.$/,
  ],
  ['far-away', 'local', /does not exist/],
  ['toString', 'local', /does not exist/],
  ['__proto__', 'local', /does not exist/],
  ['org', 'local', /does not exist/],
  ['seer', 'local', /does not exist/],
  ['catalogue/large', 'local', /"catalogue\/large" is not on this device yet\. A page of this site can download it/],
  ['gpt-4o', 'local', /"catalogue\/large" is not on this device yet/],
  ['catalogue/coming', 'local', /download of the model "catalogue\/coming" has not ended/],
  ['pocket', 'narrow', /does not exist, or this key may not use it\. It may use: `org\/seer`\.$/],
  ['catalogue/large', 'narrow', /does not exist, or this key may not use it/],
])('the model %s with the key %s is not found, and the message says what to do', async (id, key, message) => {
  const app = createTestApp();
  const headers = { authorization: `Bearer ${key}` };
  for (const response of [
    await app.send(`/models/${id}`, { headers }),
    await app.chat({ ...GOOD_BODY, model: id }, { headers }),
  ]) {
    expect(await readError(response)).toMatchObject({
      status: 404,
      type: 'invalid_request_error',
      code: 'model_not_found',
      param: 'model',
      message: expect.stringMatching(message),
    });
  }
});

test('the list has every model, with constant times', async () => {
  const app = createTestApp();
  const list = (await (await app.send('/models')).json()) as { data: { id: string; created: number }[] };
  expectForm('modelList', list);
  expect(list.data.map(({ id, created }) => ({ id, created }))).toEqual(
    MODELS.map(({ id, created }) => ({ id, created })),
  );
});

test('a model lists its capabilities and state, and absent models are listed on request', async () => {
  const app = createTestApp();
  const list = async (path: string, key = 'local') => {
    const response = await app.send(path, { headers: { authorization: `Bearer ${key}` } });
    return ((await response.json()) as { data: { id: string; tabserve: object }[] }).data;
  };
  const [pocket, seer, ...absent] = await list('/models?state=all');
  expect(pocket?.tabserve).toMatchObject({ state: 'built-in', context_window: 2048, capabilities: { images: false } });
  expect(seer?.tabserve).toMatchObject({
    state: 'downloaded',
    capabilities: { chat: true, images: true, thinking: false },
  });
  expect(absent).toEqual([
    { id: 'catalogue/large', object: 'model', created: 0, owned_by: 'unknown', tabserve: { state: 'available' } },
    { id: 'catalogue/coming', object: 'model', created: 0, owned_by: 'unknown', tabserve: { state: 'downloading' } },
  ]);
  expect((await list('/models')).map(({ id }) => id)).toEqual(['pocket', 'org/seer']);
  expect((await list('/models?state=all', 'narrow')).map(({ id }) => id)).toEqual(['org/seer']);
});

test.each<[query: string, ids: readonly string[], page: object]>([
  ['state=all&limit=1', ['pocket'], { has_more: true, last_id: 'pocket' }],
  ['state=all&limit=3', ['pocket', 'org/seer', 'catalogue/large'], { has_more: true, last_id: 'catalogue/large' }],
  ['state=all&after_id=catalogue/large', ['catalogue/coming'], { has_more: false }],
  ['state=all&limit=2&before_id=catalogue/coming', ['org/seer', 'catalogue/large'], { has_more: true }],
  ['limit=2000', ['pocket', 'org/seer'], { has_more: false }],
  ['limit=0', ['pocket'], { has_more: true }],
  ['limit=-1', ['pocket'], { has_more: true }],
  ['limit=', ['pocket', 'org/seer'], {}],
  ['limit=&after_id=&before_id=', ['pocket', 'org/seer'], {}],
])("the page of OpenAI's list for ?%s", async (query, ids, page) => {
  const list = (await (await createTestApp().send(`/models?${query}`)).json()) as { data: { id: string }[] };
  expect(list.data.map(({ id }) => id)).toEqual(ids);
  expect(list).toMatchObject(page);
});

test.each(['limit=two', 'limit=1.5', 'after_id=nobody'])(
  "the page of OpenAI's list for ?%s is refused",
  async (query) => {
    const error = await readError(await createTestApp().send(`/models?${query}`));
    expect(error).toMatchObject({ status: 400, code: 'invalid_value', param: query.split('=')[0] });
  },
);

test('a model without a chat template is listed with the fact and a sentence, and others without them', async () => {
  const [pocket] = MODELS;
  const gguf = { ...GGUF_FACTS, hasChatTemplate: false };
  const models = [
    pocket!,
    { ...pocket!, id: 'of-site', chatTemplate: false as const },
    { ...pocket!, id: 'downloaded', gguf },
    { ...pocket!, id: 'embeds', gguf: { ...gguf, embedding: { dimensions: 4 } }, embedding: { dimensions: 4 } },
    { ...pocket!, id: 'chats', gguf: GGUF_FACTS },
  ];
  const list = await (await createTestApp({ models: async () => models }).send('/models')).json();
  const told = (list as { data: { id: string; tabserve: object }[] }).data.filter(
    ({ tabserve }) => 'chat_template' in tabserve || 'description' in tabserve,
  );
  expect(told.map(({ id }) => id)).toEqual(['of-site', 'downloaded']);
  for (const { tabserve } of told) {
    expect(tabserve).toMatchObject({ chat_template: false, description: expect.stringMatching(/not made for chat/) });
  }
});

/** The headers without those that differ between responses. */
function comparable({ headers }: Response): object {
  const measured = headers.has('openai-processing-ms');
  return { ...Object.fromEntries(headers), 'x-request-id': null, 'request-id': null, 'openai-processing-ms': measured };
}

test.each([
  ['/models', 'local', 200],
  ['/models/pocket', 'local', 200],
  ['/models/nobody', 'local', 404],
  ['/models', 'wrong', 401],
])('HEAD %s with the key %s has status and headers of GET, without the body', async (path, key, status) => {
  const app = createTestApp();
  const headers = { authorization: `Bearer ${key}` };
  const [get, head] = [await app.send(path, { headers }), await app.send(path, { method: 'HEAD', headers })];
  expect(head.status).toBe(status);
  expect(get.status).toBe(status);
  expect(comparable(head)).toEqual(comparable(get));
  expect(await head.text()).toBe('');
});

test.each([
  ['mode', 'navigate'],
  ['destination', 'document'],
  ['destination', 'image'],
  ['destination', 'script'],
])('a request with the %s %s is refused before any other check', async (property, value) => {
  for (const path of ['/v1/models', '/v1/nowhere']) {
    const request = new Request(`${ORIGIN}${path}`);
    Object.defineProperty(request, property, { value });
    expect(await readError(await createTestApp().fetch(request))).toMatchObject({
      status: 403,
      type: 'invalid_request_error',
      code: 'forbidden_request',
      param: null,
    });
  }
});

test('every response has its own id', async () => {
  const app = createTestApp();
  const responses = [
    await app.send('/models'),
    await app.send('/models'),
    await app.chat(GOOD_BODY),
    await app.chat({}),
    await app.send('/x'),
  ];
  const ids = responses.map(({ headers }) => headers.get('x-request-id'));
  expect(new Set(ids).size).toBe(responses.length);
  for (const id of ids) expect(id).toMatch(/^req_[0-9a-f]{32}$/);
});

test('the base path can be set', async () => {
  const app = createApp(
    appDependencies({
      service: createScriptedService(),
      models: async () => MODELS,
      findKey: async (name) => ({ name, models: null }),
      settings: { basePath: '/demo/v1' },
    }),
  );
  const headers = { authorization: 'Bearer local' };
  expect((await app.fetch(new Request(`${ORIGIN}/demo/v1/models`, { headers }))).status).toBe(200);
  expect((await app.fetch(new Request(`${ORIGIN}/v1/models`, { headers }))).status).toBe(404);
});

test('the health is told without a key, and every other route still needs one', async () => {
  const { fetch } = createTestApp();
  const ask = (path: string) => fetch(new Request(`https://tabserve.test/v1${path}`));
  const response = await ask('/health');
  expect([response.status, await response.json()]).toEqual([200, { status: 'ok' }]);
  for (const path of ['/models', '/openapi.json', '/health/models']) {
    expect((await ask(path)).status).toBe(path === '/health/models' ? 404 : 401);
  }
});
