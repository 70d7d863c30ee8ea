import { afterEach, expect, test, vi } from 'vitest';
import { ApiError, type ApiErrorCode } from '../../../src/shared/api-error.ts';
import type { SentRequest } from '../../../src/shared/upstreams/sent-request.ts';
import { readUpstreams, type Upstream, type UpstreamRoute } from '../../../src/shared/upstreams/upstream.ts';
import { createUpstreamRouter } from '../../../src/service-worker/upstreams/upstream-router.ts';
import {
  RECORDED,
  startStandInUpstream,
  type StandInOptions,
  type StandInUpstream,
} from '../../support/sites/stand-in-upstream.ts';
import { createTestApp, GOOD_BODY, type TestApp } from '../support/test-app.ts';

const servers: StandInUpstream[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

interface Beyond {
  readonly server: StandInUpstream;
  readonly app: TestApp;
  /** The requests that were stored. */
  readonly sent: readonly SentRequest[];
  /** The requests that were told to the pages only. */
  readonly announced: readonly SentRequest[];
}

interface Setting {
  readonly upstream?: Partial<Upstream>;
  readonly server?: StandInOptions;
  readonly allowed?: boolean;
  /** The key that the user has typed. */
  readonly typed?: string;
  readonly headersTimeout?: number;
  /** Whether the user has revoked the permission; a test may change it. */
  readonly permission?: { readonly isRevoked: boolean };
  /** Awaited before a request is sent. */
  readonly holdAnswerLock?: () => Promise<void>;
  /** Called while a request is being recorded. */
  readonly whileRecording?: () => void;
}

async function beyond({
  upstream = {},
  server: options,
  allowed = true,
  typed,
  headersTimeout = 20_000,
  permission = { isRevoked: false },
  holdAnswerLock = async () => {},
  whileRecording = () => {},
}: Setting = {}): Promise<Beyond> {
  const server = await startStandInUpstream(options);
  servers.push(server);
  const [sent, announced]: [SentRequest[], SentRequest[]] = [[], []];
  const configured = readUpstreams([
    { name: 'desk', baseUrl: server.baseUrl, models: ['big-*', 'pocket'], when: 'prefer-local', ...upstream },
  ]);
  const upstreams = createUpstreamRouter(configured, {
    findPermission: async (origin) =>
      allowed && !permission.isRevoked && origin === server.origin ? { origin, granted: 0, key: typed ?? null } : null,
    addSentRequest: async (request) => {
      sent.push(request);
      whileRecording();
    },
    announceSentRequest: (request) => void announced.push(request),
    holdAnswerLock,
    headersTimeout,
  });
  return {
    server,
    sent,
    announced,
    app: createTestApp({ upstreams, settings: { keepAliveInterval: 50, clientCheckInterval: 50 } }),
  };
}

const ask = (model: string, more: object = {}) => ({ ...GOOD_BODY, model, ...more });
const failure = (code: ApiErrorCode) => [{ type: 'error', error: new ApiError(code, 'No.').toData() } as const];

// A model that is on this device, and one that is not.
const HERE = { local: 'local', 'prefer-local': 'local', upstream: 'upstream:desk' } as const;
const NOT_HERE = { local: 'local', 'prefer-local': 'upstream:desk', upstream: 'upstream:desk' } as const;
const ROUTES = ['local', 'prefer-local', 'upstream'] as const;
const strict = (one: (typeof ROUTES)[number], other: (typeof ROUTES)[number]) =>
  ROUTES[Math.min(ROUTES.indexOf(one), ROUTES.indexOf(other))]!;

test.each(
  ROUTES.flatMap((when) =>
    [null, ...ROUTES].flatMap((header) =>
      ['pocket', 'big-chat'].flatMap((model) => [true, false].map((allowed) => ({ when, header, model, allowed }))),
    ),
  ),
)('a rule $when with header $header uses $model on the right server, allowed: $allowed', async (c) => {
  const { when, header, model, allowed } = c;
  const { app, server, sent } = await beyond({ upstream: { when }, allowed });
  const response = await app.chat(ask(model), header === null ? {} : { headers: { 'x-tabserve-route': header } });
  const engine = (model === 'pocket' ? HERE : NOT_HERE)[strict(when, header ?? 'upstream')];
  const isLocal = engine === 'local';
  const status = isLocal
    ? model === 'pocket'
      ? 200
      : 404
    : allowed
      ? 200
      : strict(when, header ?? 'upstream') === 'upstream'
        ? 403
        : 404;
  expect(response.status).toBe(status);
  expect(response.headers.get('x-tabserve-engine')).toBe(allowed ? engine : 'local');
  expect(server.requests).toHaveLength(isLocal || !allowed ? 0 : 1);
  expect(sent).toHaveLength(server.requests.length);
  const offers = (await response.text()).includes(server.origin);
  expect(offers).toBe(!isLocal && !allowed);
});

test.each([
  ['/chat/completions', GOOD_BODY],
  ['/completions', { prompt: 'A token is' }],
  ['/models', null],
] as const)('of a request to %s that must stay in memory, nothing is stored', async (path, body) => {
  for (const log of ['memory', 'none', null]) {
    const { app, server, sent, announced } = await beyond({ upstream: { when: 'upstream' } });
    const headers: Record<string, string> = log === null ? {} : { 'x-tabserve-log': log };
    const init = body === null ? {} : { method: 'POST', body: JSON.stringify({ ...body, model: 'big-chat' }) };
    await (await app.send(path, { headers, ...init })).text();
    const facts = server.requests.map(({ method, path }) => ({ method, address: server.origin + path }));
    expect(facts).toHaveLength(1);
    const [told, untold] = log === 'memory' ? [announced, sent] : [sent, announced];
    expect(told).toMatchObject(facts);
    expect(untold).toEqual([]);
  }
});

test.each<[path: string, init: RequestInit]>([
  ['/messages', { method: 'POST', body: '{}' }],
  ['/messages', { method: 'POST', body: JSON.stringify({ ...GOOD_BODY, max_tokens: 9, model: 'none' }) }],
  ['/chat/completions', { method: 'POST', body: JSON.stringify({ ...GOOD_BODY, max_tokens: 'x' }) }],
  ['/models/none', { headers: { 'anthropic-version': '2023-06-01' } }],
  ['/models/big-chat', { headers: { 'anthropic-version': '2023-06-01' } }],
  ['/files/none', {}],
])('an error of this device for %s has the form that it has without upstreams: %j', async (path, init) => {
  const { app } = await beyond();
  const bodyOf = async (tested: TestApp) =>
    (await (await tested.send(path, init)).text()).replaceAll(/req_\w+/g, 'req');
  expect(await bodyOf(app)).toBe(await bodyOf(createTestApp()));
});

test('an unknown route header is rejected', async () => {
  const { app, server } = await beyond();
  const response = await app.chat(ask('pocket'), { headers: { 'x-tabserve-route': 'anywhere' } });
  expect(response.status).toBe(400);
  expect(server.requests).toEqual([]);
});

test.each<ApiErrorCode>(['gpu_unavailable', 'model_load_failed', 'model_not_loaded', 'context_length_exceeded'])(
  'a request that this device cannot answer because of %s is sent to the upstream, once allowed',
  async (code) => {
    for (const stream of [false, true]) {
      const { app, server } = await beyond();
      app.service.play([{ type: 'loading', progress: 0.5 }, ...failure(code)]);
      const response = await app.chat(ask('pocket', { stream }));
      expect(response.headers.get('x-tabserve-engine')).toBe('upstream:desk');
      expect(await response.text()).toBe(RECORDED[stream ? 'stream' : 'chat']!.body.replaceAll('\r\n', '\n'));
      expect(server.requests).toHaveLength(1);
    }
  },
);

test.each([
  ['a request that a page repeats while its model loads is sent to the upstream once', ['a', 'a'], 1],
  ['two requests that wait for one model are both sent to the upstream', ['a', 'b'], 2],
  ['two requests without names are both sent to the upstream', [null, null], 2],
])('%s', async (_, names, sent) => {
  const { app, server } = await beyond();
  app.service.play([{ type: 'loading', progress: 0.5 }]);
  const responses: Promise<Response>[] = [];
  for (const name of names) {
    responses.push(
      app.chat(ask('pocket', { stream: true }), {
        headers: name === null ? {} : { 'x-tabserve-stream-id': name.repeat(24) },
      }),
    );
    await vi.waitFor(() => expect(app.service.completions).toHaveLength(responses.length));
  }
  for (const completion of app.service.completions)
    for (const event of failure('model_load_failed')) completion.emit(event);
  const last = (await Promise.all(responses)).at(-1)!;
  expect(last.headers.get('x-tabserve-engine')).toBe('upstream:desk');
  expect(server.requests).toHaveLength(sent);
});

test('a page that only joins an answer leaves its request to the one that asked', async () => {
  const { app, server } = await beyond();
  app.service.play([{ type: 'loading', progress: 0.5 }]);
  const named = { 'x-tabserve-stream-id': 'a'.repeat(24) };
  const [asked, joined] = [named, { ...named, 'x-tabserve-last-event': '-1' }].map((headers) =>
    app.chat(ask('pocket', { stream: true }), { headers }),
  );
  await vi.waitFor(() => expect(app.service.completions).toHaveLength(2));
  for (const completion of app.service.completions)
    for (const event of failure('model_load_failed')) completion.emit(event);
  expect((await asked!).headers.get('x-tabserve-engine')).toBe('upstream:desk');
  expect(await (await joined!).json()).toMatchObject({ error: { code: 'stream_not_found' } });
  expect(server.requests).toHaveLength(1);
});

test('a local stream begins when its model is ready, so that a client can cancel it', async () => {
  const { app } = await beyond();
  app.service.play([{ type: 'loading', progress: 0.5 }, { type: 'prefill' }]);
  const response = await app.chat(ask('pocket', { stream: true }));
  expect(response.headers.get('x-tabserve-engine')).toBe('local');
  await response.body!.cancel();
  expect(app.service.completions[0]!.cancelled).toBe(true);
});

test.each<ApiErrorCode>([
  'rate_limit_exceeded',
  'engine_unavailable',
  'gpu_device_lost',
  'invalid_value',
  'internal_error',
])('a failure that is temporary, or a fault of the request (%s), stays on this device', async (code) => {
  const { app, server } = await beyond();
  app.service.play(failure(code));
  expect((await app.chat(ask('pocket'))).headers.get('x-tabserve-engine')).toBe('local');
  expect(server.requests).toEqual([]);
});

test('a key that may not use a model does not get it from an upstream', async () => {
  const { app, server } = await beyond();
  const response = await app.chat(ask('big-chat'), { headers: { authorization: 'Bearer narrow' } });
  expect(response.status).toBe(404);
  expect(server.requests).toEqual([]);
});

test('the key of the endpoint is not sent; a key that the user typed precedes that of the site', async () => {
  for (const [key, typed, expected] of [
    [undefined, undefined, undefined],
    ['of-the-site', undefined, 'of-the-site'],
    ['of-the-site', 'typed', 'typed'],
    // Copied from a web page, with what it has around the key.
    [undefined, '\u200b typed\ufeff\r\n', 'typed'],
    [undefined, '„typed“', 'typed'],
    [undefined, '\xa0Schlüssel-ÿ ', 'Schlüssel-ÿ'],
  ]) {
    const { app, server } = await beyond({ upstream: { ...(key && { key }) }, ...(typed && { typed }) });
    await app.chat(ask('big-chat'));
    expect(server.requests[0]?.key).toBe(expected);
  }
});

test("the body is forwarded unchanged, or with the upstream's name of the model", async () => {
  const { app, server, sent } = await beyond({ upstream: { when: 'upstream', modelNames: { pocket: 'big-chat' } } });
  const body = '{ "model":"big-chat", "messages":[{"role":"user","content":"é"}], "anything": 1 }';
  await app.chat(body);
  await app.chat(ask('pocket'));
  expect(server.requests[0]?.body).toBe(body);
  expect(JSON.parse(server.requests[1]!.body)).toEqual(ask('big-chat'));
  expect(sent.map(({ bytes }) => bytes)).toEqual(server.requests.map(({ body }) => Buffer.byteLength(body)));
  expect(sent[0]).toMatchObject({ upstream: 'desk', method: 'POST', address: `${server.baseUrl}/chat/completions` });
});

test.each([
  { name: 'chat', more: {} },
  { name: 'stream', more: { stream: true } },
  { name: 'stream', more: { stream: true, model: 'big-crlf' } },
  { name: 'tools', more: { tools: [{ type: 'function', function: { name: 'look' } }] } },
  { name: 'toolStream', more: { stream: true, tools: [{ type: 'function', function: { name: 'look' } }] } },
])('the recorded answer $name is returned as the server sent it', async ({ name, more }) => {
  const { app } = await beyond();
  const response = await app.chat(ask('big-chat', more));
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toBe(RECORDED[name]!.type);
  expect(response.headers.get('x-request-id')).toMatch(/^req_/);
  expect(await response.text()).toBe(RECORDED[name]!.body.replaceAll('\r\n', '\n'));
});

test.each([
  {
    model: 'big-busy',
    status: 429,
    error: { message: 'Too many requests.', type: 'requests', param: null, code: null },
  },
  {
    model: 'big-broken',
    status: 500,
    error: {
      message: 'desk answers 500: Internal Server Error',
      type: 'server_error',
      param: null,
      code: 'upstream_failed',
    },
  },
])(
  'a refusal ($status) has its own status and message, in the form of all errors',
  async ({ model, status, error }) => {
    const { app, server } = await beyond();
    const response = await app.chat(ask(model, { stream: true }));
    expect(response.status).toBe(status);
    expect(response.headers.get('retry-after')).toBe(status === 429 ? '1' : null);
    expect(response.headers.get('x-tabserve-engine')).toBe('upstream:desk');
    expect(response.headers.get('content-type')).toBe('application/json');
    expect(await response.json()).toEqual({ error });
    expect(server.requests).toHaveLength(1);
  },
);

test("an upstream's error in the API's form is forwarded unchanged", async () => {
  const { app } = await beyond();
  const response = await app.chat(ask('big-long'));
  expect(response.status).toBe(RECORDED['tooLong']!.status);
  expect(await response.json()).toEqual(JSON.parse(RECORDED['tooLong']!.body));
});

test('other routes of the same API are forwarded too', async () => {
  const { app, server } = await beyond();
  const response = await app.send('/completions', {
    method: 'POST',
    body: JSON.stringify({ model: 'big-chat', prompt: 'A token is' }),
  });
  expect(await response.json()).toEqual(JSON.parse(RECORDED['completions']!.body));
  expect(server.requests.map(({ path }) => path)).toEqual(['/v1/completions']);
});

test("a wrong key is a 401 with the upstream's message", async () => {
  const { app } = await beyond({ server: { key: 'right' }, typed: 'wrong' });
  const response = await app.chat(ask('big-chat'));
  expect(response.status).toBe(401);
  expect(await response.json()).toMatchObject({
    error: { code: 'invalid_api_key', message: expect.stringMatching(/Invalid API key/) },
  });
});

test.each(['big-204', 'big-205', 'big-304'].flatMap((model) => [false, true].map((stream) => ({ model, stream }))))(
  'a response without a body ($model, stream: $stream) is a 502 with an explanation',
  async ({ model, stream }) => {
    const { app } = await beyond();
    const response = await app.chat(ask(model, { stream }));
    expect(response.status).toBe(502);
    const message = `desk answers ${model.slice('big-'.length)}`;
    expect(await response.json()).toMatchObject({ error: { code: 'upstream_failed', message } });
  },
);

test('an empty JSON body is an error in the body', async () => {
  const { app } = await beyond();
  const response = await app.chat(ask('big-empty'));
  expect(await response.json()).toMatchObject({ error: { code: 'upstream_failed' } });
});

test('an endless event is aborted', async () => {
  const { app, server } = await beyond();
  const response = await app.chat(ask('big-endless', { stream: true }));
  const text = await response.text();
  expect(text).toContain('An event of desk has more than');
  expect(text.length).toBeLessThan(1000);
  await expect.poll(() => server.left).toBe(1);
});

test('models without a name in the list of an upstream are left out', async () => {
  // The last ones look like others, or turn round what the page writes after them.
  const names = ['', ' ', 'big-chat', null, 7, 'x'.repeat(1000), 'pocket\u200b', 'big\n', '\u202etekcop', '\u2067big'];
  const models = [...names.map((id) => ({ id })), null, 'big-other'];
  const { app } = await beyond({ upstream: { models: ['*'] }, server: { models } });
  const { object, data } = (await (await app.send('/models')).json()) as { object: string; data: { id: string }[] };
  expect(object).toBe('list');
  expect(data.map(({ id }) => id)).toEqual(['pocket', 'org/seer', 'big-chat']);
});

test.each(['big-cut', 'big-ends', 'big-stalls'])(
  'a stream of %s ends in one error event, after whole events',
  async (model) => {
    const { app } = await beyond({ upstream: { timeout: 1 } });
    const response = await app.chat(ask(model, { stream: true }));
    expect(response.status).toBe(200);
    const events = (await response.text()).split('\n\n').filter(Boolean);
    expect(events).toHaveLength(3);
    expect(events.slice(0, 2)).toEqual(RECORDED['stream']!.body.split(/\r?\n\r?\n/).slice(0, 2));
    const code = model === 'big-stalls' ? 'upstream_timeout' : 'upstream_failed';
    expect(JSON.parse(events[2]!.slice('data: '.length))).toMatchObject({ error: { code } });
  },
);

test('a JSON document that breaks off is an error', async () => {
  const { app } = await beyond();
  const response = await app.chat(ask('big-cut'));
  await expect(response.text()).rejects.toThrow('terminated');
});

test('a server that never responds is a 504, and its request is aborted', async () => {
  const { app, server } = await beyond({ upstream: { timeout: 0.2 } });
  const response = await app.chat(ask('big-silent'));
  expect(response.status).toBe(504);
  expect(await response.json()).toMatchObject({ error: { code: 'upstream_timeout' } });
  await expect.poll(() => server.left).toBe(1);
});

test.each([false, true])('a failure after the response headers is in the body, stream: %s', async (stream) => {
  const { app, server } = await beyond({ upstream: { timeout: 0.3 }, headersTimeout: 50 });
  const response = await app.chat(ask('big-silent', { stream }));
  expect(response.status).toBe(200);
  expect(response.headers.get('x-tabserve-engine')).toBe('upstream:desk');
  const text = await response.text();
  expect(text).toMatch(stream ? /^(: keep-alive\n\n)+data: \{"error".*\}\n\n$/ : /^\n+\{"error"/);
  expect(text).toContain('upstream_timeout');
  await expect.poll(() => server.left).toBe(1);
});

test('a client that disconnects before the upstream responds is noticed after the response headers', async () => {
  const { app, server } = await beyond({ headersTimeout: 50 });
  await (await app.chat(ask('big-silent'))).body!.cancel();
  await expect.poll(() => server.left).toBe(1);
});

test('an unreachable server is a 502 that names possible causes', async () => {
  const { app } = await beyond({ upstream: { baseUrl: 'http://127.0.0.1:9/v1' } });
  expect((await app.chat(ask('big-chat'))).status).toBe(404);
  const there = await beyond();
  await there.server.close();
  servers.splice(0);
  const response = await there.app.chat(ask('big-chat'));
  expect(response.status).toBe(502);
  expect(await response.text()).toMatch(/CORS/);
});

test('a client that cancels a stream ends it at the upstream', async () => {
  const { app, server } = await beyond();
  const response = await app.chat(ask('big-stalls', { stream: true }));
  const reader = response.body!.getReader();
  await reader.read();
  await reader.cancel();
  await expect.poll(() => server.left).toBe(1);
});

test('a response of an upstream cannot be resumed, and the attempt sends nothing', async () => {
  const { app, server } = await beyond();
  const headers = { 'x-tabserve-stream-id': 'a'.repeat(24), 'x-tabserve-last-event': '3' };
  const response = await app.chat(ask('big-chat', { stream: true }), { headers });
  expect(response.status).toBe(404);
  expect(server.requests).toEqual([]);
  const first = await app.chat(ask('big-chat', { stream: true }), {
    headers: { 'x-tabserve-stream-id': 'a'.repeat(24) },
  });
  expect(first.headers.get('x-tabserve-stream-id')).toBe(null);
});

test('the list of models includes those of a permitted upstream, whose own list is fetched once', async () => {
  const { app, server, sent } = await beyond();
  const list = async () =>
    ((await (await app.send('/models')).json()) as { data: { id: string; tabserve: object }[] }).data;
  expect(await list()).toEqual(await list());
  const byId = new Map((await list()).map(({ id, tabserve }) => [id, tabserve]));
  expect([...byId.keys()]).toEqual(['pocket', 'org/seer', 'big-chat']);
  expect(byId.get('pocket')).toMatchObject({ state: 'built-in', upstream: 'desk', upstream_origin: server.origin });
  expect(byId.get('big-chat')).toEqual({ state: 'upstream', upstream: 'desk', upstream_origin: server.origin });
  expect(server.requests.map(({ method, path }) => `${method} ${path}`)).toEqual(['GET /v1/models']);
  expect(sent).toMatchObject([{ method: 'GET', bytes: 0 }]);
  expect(await (await app.send('/models/big-chat')).json()).toMatchObject({
    id: 'big-chat',
    tabserve: { state: 'upstream' },
  });
  expect((await app.send('/models/big-other')).status).toBe(404);
});

test.each<[name: string, listed: object, facts: object]>([
  ['vLLM of an adapter', { created: 5, owned_by: 'vllm', max_model_len: null }, { created: 5, owned_by: 'vllm' }],
  ['no server', { created: null, owned_by: null, max_model_len: 0 }, { created: 0, owned_by: 'desk' }],
  ['a careless server', { created: '2026', owned_by: {}, max_model_len: '4k' }, { created: 0, owned_by: 'desk' }],
])('the list has only facts of the right type, such as %s tells', async (_name, listed, facts) => {
  const { app } = await beyond({ server: { models: [{ id: 'big-chat', ...listed }] } });
  const { tabserve, ...entry } = (await (await app.send('/models/big-chat')).json()) as { tabserve: object };
  expect(entry).toEqual({ id: 'big-chat', object: 'model', ...facts });
  expect(tabserve).not.toHaveProperty('context_window');
});

test.each<[first: Partial<Upstream>, isAllowed: boolean, listed: string | null]>([
  [{ models: ['big-*'] }, false, null],
  [{ models: ['big-*'], when: 'local' }, true, null],
  [{ models: ['*'] }, true, null],
  [{ models: ['small-*'] }, true, 'next'],
])('a model is listed for the upstream that would answer: first %j, allowed: %s', async (first, isAllowed, listed) => {
  const models: Readonly<Record<string, string>> = { 'first.test': 'small-one', 'next.test': 'big-one' };
  const upstreams = createUpstreamRouter(
    readUpstreams([
      { name: 'first', baseUrl: 'https://first.test/v1', when: 'upstream', ...first },
      { name: 'next', baseUrl: 'https://next.test/v1', when: 'upstream', models: ['*'] },
    ]),
    {
      findPermission: async (origin) =>
        isAllowed || origin !== 'https://first.test' ? { origin, granted: 0, key: null } : null,
      addSentRequest: async () => {},
      holdAnswerLock: async () => {},
      fetch: async (address, { method } = {}) =>
        Response.json(
          method === 'POST' ? { by: address } : { data: [{ id: models[new URL(address as string).host] }] },
        ),
    },
  );
  const app = createTestApp({ upstreams });
  const { data } = (await (await app.send('/models')).json()) as {
    data: { id: string; tabserve: { upstream: string } }[];
  };
  expect(data.find(({ id }) => id === 'big-one')?.tabserve.upstream ?? null).toBe(listed);
  const { headers } = await app.chat(ask('big-one'));
  expect(headers.get('x-tabserve-engine') === `upstream:${listed}`).toBe(listed !== null);
});

test.each<[when: UpstreamRoute, state: string, upstream: string | undefined]>([
  ['local', 'built-in', undefined],
  ['prefer-local', 'built-in', 'desk'],
  ['upstream', 'upstream', 'desk'],
])('a model of this device that a pattern names says where its requests may go: %s', async (when, state, upstream) => {
  for (const list of [{ models: [{ id: 'big-chat' }] }, { models: [] }, { key: 'another' }]) {
    const { app } = await beyond({ upstream: { models: ['*'], when }, server: list });
    const { data } = (await (await app.send('/models')).json()) as { data: { id: string; tabserve: object }[] };
    const { tabserve } = data.find(({ id }) => id === 'pocket')!;
    expect(tabserve).toMatchObject({ state, ...(upstream && { upstream }) });
    expect('upstream' in tabserve).toBe(upstream !== undefined);
    const single = (await (await app.send('/models/pocket')).json()) as { tabserve: object };
    expect(single.tabserve).toEqual(tabserve);
    app.service.play(failure('context_length_exceeded'));
    const { headers } = await app.chat(ask('pocket'));
    expect(headers.get('x-tabserve-engine')).toBe(upstream === undefined ? 'local' : `upstream:${upstream}`);
  }
});

test.each<[when: UpstreamRoute, state: string]>([
  ['prefer-local', 'built-in'],
  ['upstream', 'upstream'],
])('an alias of a model of this device says where requests under its own name go: %s', async (when, state) => {
  const { app } = await beyond({ upstream: { models: ['gpt-*'], when } });
  const entry = await (await app.send('/models/gpt-4o-mini')).json();
  expect(entry).toMatchObject({ tabserve: { state, upstream: 'desk' } });
  const { headers } = await app.chat(ask('gpt-4o-mini'));
  expect(headers.get('x-tabserve-engine')).toBe(when === 'upstream' ? 'upstream:desk' : 'local');
});

test('the list of an upstream is fetched again after a failure and after a new permission', async () => {
  let permission = { granted: 1, key: 'wrong' };
  const server = await startStandInUpstream({ key: 'right' });
  servers.push(server);
  const upstreams = createUpstreamRouter(
    readUpstreams([{ name: 'desk', baseUrl: server.baseUrl, models: ['big-*'], when: 'upstream' }]),
    {
      findPermission: async (origin) => ({ origin, ...permission }),
      addSentRequest: async () => {},
      holdAnswerLock: async () => {},
    },
  );
  const app = createTestApp({ upstreams });
  expect(await (await app.send('/models')).text()).not.toContain('big-chat');
  permission = { granted: 2, key: 'right' };
  expect(await (await app.send('/models')).text()).toContain('big-chat');
});

test('an upstream that does not send its list now keeps the models that it named last, and is asked again', async () => {
  let [now, asked] = [Date.now(), 0];
  vi.spyOn(Date, 'now').mockImplementation(() => now);
  const lists = [['big-first'], null, null, ['big-next']];
  const upstreams = createUpstreamRouter(
    readUpstreams([{ name: 'desk', baseUrl: 'https://desk.test/v1', models: ['big-*'], when: 'upstream' }]),
    {
      findPermission: async (origin) => ({ origin, granted: 1, key: null }),
      addSentRequest: async () => {},
      fetch: async () => {
        const list = lists[asked++];
        return list ? Response.json({ data: list.map((id) => ({ id })) }) : new Response('Busy.', { status: 503 });
      },
    },
  );
  const app = createTestApp({ upstreams });
  const listed: string[][] = [];
  for (const _ of lists) {
    const { data } = (await (await app.send('/models')).json()) as { data: { id: string }[] };
    listed.push(data.map(({ id }) => id).filter((id) => id.startsWith('big-')));
    now += 61_000;
  }
  vi.restoreAllMocks();
  expect(listed).toEqual([['big-first'], ['big-first'], ['big-first'], ['big-next']]);
});

test('without permission no models of an upstream are listed, and nothing is sent to it', async () => {
  const { app, server } = await beyond({ allowed: false });
  expect(await (await app.send('/models')).json()).toEqual(await (await createTestApp().send('/models')).json());
  expect((await app.send('/models/big-chat')).status).toBe(404);
  expect(server.requests).toEqual([]);
});

test.each<[string, object]>([
  ['name', { name: 'my desk' }],
  ['baseUrl', { baseUrl: 'ftp://desk/v1' }],
  ['baseUrl', { baseUrl: 'https://me:secret@desk/v1' }],
  ['baseUrl', { baseUrl: 'https://:secret@desk/v1' }],
  ['baseUrl', { baseUrl: 'https://desk.test/v1?' }],
  ['baseUrl', { baseUrl: 'https://desk.test/v1#' }],
  ['baseUrl', { baseUrl: 'https://desk.test/v1 ' }],
  ['baseUrl', { baseUrl: 'https://desk.test/v1?key=1' }],
  ['modelNames', { modelNames: null }],
  ['models', { models: [] }],
  ['models', { models: ['*-big'] }],
  ['when', { when: 'sometimes' }],
  ['key', { key: 'a b' }],
  ['timeout', { timeout: 0 }],
])('a site with an invalid %s gets an error: %j', (field, wrong) => {
  const right = { name: 'desk', baseUrl: 'https://desk.test/v1/', models: ['big-*'], when: 'upstream' };
  expect(readUpstreams([right])[0]?.baseUrl).toBe('https://desk.test/v1');
  expect(() => readUpstreams([{ ...right, ...wrong }])).toThrow(`upstreams[0].${field}`);
});

test.each<ApiErrorCode>(['gpu_unavailable', 'model_load_failed', 'context_length_exceeded'])(
  'a permission that is revoked while the model loads keeps the request here after %s',
  async (code) => {
    const permission = { isRevoked: false };
    const { app, server, sent } = await beyond({ permission });
    app.service.play([{ type: 'loading', progress: 0.1, text: '' }] as never);
    const response = app.chat(ask('pocket'));
    await vi.waitFor(() => expect(app.service.completions).toHaveLength(1));
    permission.isRevoked = true;
    for (const event of failure(code)) app.service.completions[0]!.emit(event);
    expect((await response).status).toBe(new ApiError(code, '').status);
    expect(await (await response).text()).toContain(server.origin);
    expect([server.requests, sent]).toEqual([[], []]);
  },
);

test('a permission that is revoked while a request waits for its turn sends nothing', async () => {
  const permission = { isRevoked: false };
  const holdAnswerLock = async () => void (permission.isRevoked = true);
  const { app, server, sent } = await beyond({ permission, upstream: { when: 'upstream' }, holdAnswerLock });
  const response = await app.chat(ask('big-chat'));
  expect(response.status).toBe(403);
  expect([server.requests, sent]).toEqual([[], []]);
});

test('a permission that is revoked while a request is being recorded sends nothing, of a model or of the list', async () => {
  const permission = { isRevoked: false };
  const { app, server, sent } = await beyond({
    permission,
    upstream: { when: 'upstream' },
    whileRecording: () => (permission.isRevoked = true),
  });
  const response = await app.chat(ask('big-chat'));
  expect([response.status, await response.json()]).toMatchObject([403, { error: { code: 'upstream_not_allowed' } }]);
  permission.isRevoked = false;
  expect((await app.send('/models')).status).toBe(200);
  expect([server.requests, sent.length]).toEqual([[], 2]);
});

test.each(['/models', '/models/big-chat'])('a request to %s that must stay here asks no upstream', async (path) => {
  const { app, server } = await beyond({ upstream: { models: ['*'] } });
  const statusOf = async (route: string) => (await app.send(path, { headers: { 'x-tabserve-route': route } })).status;
  expect(await statusOf('local')).toBe(path === '/models' ? 200 : 404);
  expect(await statusOf('anywhere')).toBe(400);
  expect(server.requests).toEqual([]);
});

test.each([Infinity, 2_147_484, NaN, 0])('a timeout of %s seconds is refused', (timeout) => {
  const upstream = { name: 'desk', baseUrl: 'https://desk.test', models: ['*'], when: 'upstream', timeout };
  expect(() => readUpstreams([upstream])).toThrow('timeout');
});

test.each<[prompt: unknown, isWhole: boolean]>([
  [['a', 'b'], false],
  [[[1, 2], [3]], false],
  [['a'], true],
  [[1, 2], true],
  ['a', true],
])('a stream that ends after the first choice, for the prompt %j, is whole: %s', async (prompt, isWhole) => {
  const upstreams = createUpstreamRouter(
    readUpstreams([{ name: 'desk', baseUrl: 'https://desk.test/v1', models: ['big'], when: 'upstream' }]),
    {
      findPermission: async (origin) => ({ origin, granted: 0, key: null }),
      addSentRequest: async () => {},
      announceSentRequest: () => {},
      holdAnswerLock: async () => {},
      headersTimeout: 20_000,
      fetch: async () =>
        new Response('data: {"choices":[{"index":0,"text":"x","finish_reason":"stop"}]}\n\n', {
          headers: { 'content-type': 'text/event-stream' },
        }),
    },
  );
  const app = createTestApp({ upstreams });
  const body = JSON.stringify({ model: 'big', prompt, stream: true });
  const text = await (await app.send('/completions', { method: 'POST', body })).text();
  expect(text.includes('upstream_failed')).toBe(!isWhole);
});
