import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { PROTOCOL_VERSION } from '../../../src/shared/messaging/messages.ts';
import { MemoryLocks } from '../../support/fakes/web-locks.ts';

vi.mock('../../../src/shared/storage/site-database.ts', () => ({
  openSiteDatabase: () => Promise.reject(new Error('No database.')),
}));

// The types of a service worker's globals conflict with those of tests.
const FOLDER = '../../../src/service-worker/lifecycle';
const { install } = (await import(`${FOLDER}/install.ts`)) as { install(options: object): void };
const { installReadyMade } = (await import(`${FOLDER}/install-ready-made.ts`)) as { installReadyMade(): void };

const ORIGIN = 'https://site.test';
const KIOSK = { id: 'kiosk', contextWindow: 64, vocabularySize: 64, modelUrl: 'kiosk', libraryUrl: 'kiosk.wasm' };

/** The part of the service worker's scope that the code uses. */
let scope: EventTarget & { readonly tabserve?: unknown };

beforeEach(() => {
  vi.stubGlobal('navigator', { locks: new MemoryLocks() });
});

afterEach(() => {
  vi.unstubAllGlobals();
});

function start(run: () => void, tabserve?: unknown): void {
  const clients = { claim: async () => {}, get: async () => ({}) };
  scope = Object.assign(new EventTarget(), {
    tabserve,
    clients,
    location: new URL(`${ORIGIN}/app/worker.js`),
    registration: { scope: `${ORIGIN}/app/` },
  });
  vi.stubGlobal('self', scope);
  run();
}

const installed = (options: object) => start(() => install(options));

/** The response to a page's request; undefined if the service worker leaves it to the network. */
function answer(path: string, init: RequestInit = {}): Promise<Response> | undefined {
  let given: Promise<Response> | undefined;
  const request = new Request(new URL(path, ORIGIN), { headers: { authorization: 'Bearer local' }, ...init });
  const respondWith = (response: Promise<Response>) => (given = response);
  scope.dispatchEvent(Object.assign(new Event('fetch'), { request, clientId: 'page', respondWith }));
  return given;
}

/** The worker's reply to a page that asks for its version. */
function version(): Promise<unknown> {
  return new Promise((postMessage) => {
    const data = { type: 'tabserve/version' };
    const event = Object.assign(new Event('message'), { data, ports: [{ postMessage }], waitUntil: () => {} });
    scope.dispatchEvent(event);
  });
}

test('a site chooses the base path for routes, OpenAPI document and hints', async () => {
  installed({ basePath: '/api/llm/' });
  const models = await (await answer('/api/llm/models'))!.json();
  expect(models.data).toMatchObject([{ id: 'pocket' }, { id: 'pocket-embed' }]);
  const { servers } = await (await answer('/api/llm/openapi.json'))!.json();
  expect(servers).toEqual([{ url: '/api/llm' }]);
  const { error } = await (await answer('/api/llm/batches'))!.json();
  expect(error.message).toContain('/api/llm/chat/completions');
  for (const path of ['/v1', '/api', '/api/llmx/users', '/']) expect(answer(path)).toBeUndefined();
  expect(answer('https://elsewhere.test/api/llm/models')).toBeUndefined();
});

test('an unknown path goes to the network with `fallthrough`, and is a 404 without', async () => {
  const others = ['/v1', '/v1/users', '/v1/chat', '/v1/batches', '/v1/messages/batches'];
  installed({ fallthrough: true });
  for (const path of others) expect(answer(path)).toBeUndefined();
  expect((await answer('/v1/models/'))!.status).toBe(200);
  expect((await answer('/v1/chat/completions', { method: 'PUT' }))!.status).toBe(405);
  installed({});
  for (const path of others) expect((await answer(path))!.status).toBe(404);
});

test('the models of a site are listed as built-in, the default one first', async () => {
  installed({ models: [KIOSK], builtInModels: ['pocket'], default: 'kiosk' });
  const { data } = await (await answer('/v1/models'))!.json();
  expect(data).toMatchObject([
    { id: 'kiosk', context_window: 64, tabserve: { state: 'built-in' } },
    { id: 'pocket', tabserve: { state: 'built-in' } },
  ]);
  expect(data).toHaveLength(2);
});

test("the version reply tells pages the base path and the site's models", async () => {
  installed({ basePath: '/api/llm', models: [KIOSK], catalogue: { base: 'https://mirror.test/models' } });
  expect(await version()).toMatchObject({
    version: PROTOCOL_VERSION,
    basePath: '/api/llm',
    siteModels: {
      entries: [{ id: 'pocket' }, { id: 'pocket-embed' }, { id: 'kiosk', modelUrl: `${ORIGIN}/app/kiosk/` }],
      catalogueBase: 'https://mirror.test/models/',
    },
  });
});

test.each([
  { key: 'next' },
  { modelNames: { pocket: 'larger' } },
  { timeout: 5 },
  { baseUrl: 'https://desk.test/next/v1' },
  { when: 'local' },
])('pages notice that the option %j of an upstream has changed, and are not told it', async (changed) => {
  const desk = { name: 'desk', baseUrl: 'https://desk.test/v1', models: ['pocket'], when: 'upstream', key: 'first' };
  const replies: string[] = [];
  for (const upstream of [desk, { ...desk }, { ...desk, ...changed }]) {
    installed({ upstreams: [upstream] });
    replies.push(JSON.stringify(await version()));
  }
  expect(replies.join(' ')).not.toMatch(/first|next|larger/);
  expect([replies[1] === replies[0], replies[2] === replies[0]]).toEqual([true, false]);
});

for (const basePath of ['v1', '/', '', '/v1?x', '/a//b', 'https://site.test/v1']) {
  test(`the path ${JSON.stringify(basePath)} is refused as the service worker starts`, () => {
    expect(() => installed({ basePath })).toThrow(/`basePath` must be a path/);
  });
}

test('a ready-made service worker with invalid options reports the fault to pages and handles no request', async () => {
  start(installReadyMade, { models: [{ ...KIOSK, contextWindow: 0 }] });
  expect(await version()).toEqual({
    version: PROTOCOL_VERSION,
    fault: expect.stringContaining('`models[0].contextWindow`'),
  });
  expect(answer('/v1/models')).toBeUndefined();
});

const served = (status: number, type: string) => async () =>
  new Response('from the server', { status, headers: { 'content-type': type } });

test.each([
  { path: '/app/v1/models', method: 'GET', server: served(404, 'text/html'), says: '/v1/models' },
  { path: '/app/v1/chat/completions', method: 'POST', server: served(405, 'text/html'), says: '/v1/chat/completions' },
  { path: '/docs/page/v1/embeddings', method: 'POST', server: served(501, 'text/plain'), says: '/v1/embeddings' },
  { path: '/app/v1/models', method: 'GET', server: served(200, 'text/html'), says: '/v1/models' },
  { path: '/app/v1/models/pocket', method: 'GET', server: served(404, ''), says: '/v1/models/pocket' },
])(
  '$method $path, which the server does not know, says where the endpoint is',
  async ({ path, method, server, says }) => {
    installed({});
    vi.stubGlobal('fetch', server);
    const response = (await answer(path, { method }))!;
    expect(response.status).toBe(404);
    const { error } = await response.json();
    expect(error).toMatchObject({ code: 'unknown_url', message: expect.stringContaining(`${ORIGIN}${says},`) });
  },
);

test.each([
  { path: '/v1/models', basePath: '/api/llm' },
  { path: '/app/api/llm/models', basePath: '/api/llm' },
])('$path of a site whose endpoint is at $basePath says where that is', async ({ path, basePath }) => {
  installed({ basePath });
  vi.stubGlobal('fetch', served(404, 'text/html'));
  const { error } = await (await answer(path))!.json();
  expect(error.message).toContain(`${ORIGIN}/api/llm/models,`);
});

test.each([
  { path: '/app/v1/models', server: served(200, 'application/json') },
  { path: '/app/v1/models', server: served(404, 'application/problem+json') },
  { path: '/app/v1/models', server: served(500, 'text/html') },
])("the site's own API at $path answers itself", async ({ path, server }) => {
  installed({});
  vi.stubGlobal('fetch', server);
  expect(await (await answer(path))!.text()).toBe('from the server');
});

test.each(['/app/v1/users', '/app/v1', '/app/models', '/app/', '/v1x/models'])('%s is left to the network', (path) => {
  installed({});
  expect(answer(path)).toBeUndefined();
});

test('errors that newer options may prevent name the newer service worker that waits', async () => {
  installed({});
  Object.assign(scope, { registration: { waiting: { scriptURL: `${ORIGIN}/own.js` } } });
  const messages = await Promise.all(
    ['/v1/batches', '/v1/models/pocket'].map(async (path) => {
      const { error } = await (await answer(path))!.json();
      return error?.message.includes(`${ORIGIN}/own.js`) ?? null;
    }),
  );
  const { error } = await (await answer('/v1/models', { headers: { authorization: 'Bearer mine' } }))!.json();
  expect([...messages, error.message.includes(`${ORIGIN}/own.js`)]).toEqual([true, null, true]);
});

test('the hash of the options differs with any option', async () => {
  const hashes: unknown[] = [];
  for (const options of [
    {},
    {},
    { aliases: { a: 'pocket' } },
    { keys: [{ key: 'a', name: 'a' }] },
    { models: [KIOSK] },
  ]) {
    installed(options);
    hashes.push(((await version()) as { options: string }).options);
  }
  expect(hashes[0]).toBe(hashes[1]);
  expect(new Set(hashes).size).toBe(4);
});
