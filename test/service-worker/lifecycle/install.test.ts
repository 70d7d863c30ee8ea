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
  const { error } = await (await answer('/api/llm/files'))!.json();
  expect(error.message).toContain('/api/llm/chat/completions');
  for (const path of ['/v1/models', '/api', '/api/llmx/models', '/']) expect(answer(path)).toBeUndefined();
  expect(answer('https://elsewhere.test/api/llm/models')).toBeUndefined();
});

test('an unknown path goes to the network with `fallthrough`, and is a 404 without', async () => {
  const others = ['/v1', '/v1/users', '/v1/chat', '/v1/files', '/v1/messages/batches'];
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
