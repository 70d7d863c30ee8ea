import { getEventListeners } from 'node:events';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { register, type RegisterOptions, type Tabserve } from '../../src/page/index.ts';
import { ApiError } from '../../src/shared/api-error.ts';
import { PROTOCOL_VERSION, VERSION } from '../../src/shared/messaging/messages.ts';
import { readSiteModels } from '../../src/shared/models/site-models.ts';
import { FakePage, FakeServiceWorker, PAGE } from '../support/fakes/fake-page.ts';

const store = vi.hoisted(() => ({ open: async (): Promise<object> => ({}) }));
vi.mock('../../src/shared/storage/site-database.ts', () => ({ openSiteDatabase: () => store.open() }));

const LONG_LIFE = 6000;
const UNUSED = { promptTokens: 0, cachedTokens: 0, off: null };

let page: FakePage;
let tabserve: Tabserve | undefined;

beforeEach(() => {
  page = new FakePage();
});

afterEach(() => {
  tabserve?.dispose();
  tabserve = undefined;
  page.close();
});

/** Registers a page and waits until it is ready. */
async function begin(options?: RegisterOptions): Promise<Tabserve> {
  tabserve = register(options);
  await tabserve.ready;
  await page.pass(0);
  return tabserve;
}

function lastEngine() {
  return page.engines.at(-1)!;
}

test('a page is ready when the service worker controls it and the engine is connected; the status is the engine’s', async () => {
  tabserve = register();
  expect(tabserve.status.state).toBe('starting');
  await tabserve.ready;
  expect(page.container.controller).toBe(page.registration.active);
  await page.pass(0);
  expect(tabserve.status.state).toBe('idle');
  const heard = vi.fn<() => void>();
  tabserve.addEventListener('statuschange', heard);
  lastEngine().tell({ state: 'ready', model: 'pocket', gpu: 'scripted', promptCache: UNUSED, extensions: [] });
  await page.pass(0);
  expect(heard).toHaveBeenCalledTimes(1);
  expect(tabserve.status).toMatchObject({ state: 'ready', model: 'pocket' });
  expect(page.console).not.toHaveBeenCalled();
});

test('the service worker is asked for its version once, and again only if it did not reply', async () => {
  const versionsAsked = () =>
    page.registration.active?.received.filter((message) => (message as { type: string }).type === 'tabserve/version');
  tabserve = register();
  await tabserve.ready;
  expect(versionsAsked()).toHaveLength(1);
  await tabserve.retry();
  lastEngine().die();
  await page.pass(0);
  await tabserve.ready;
  expect(versionsAsked()).toHaveLength(1);
});

/** The service worker that is active when the page is loaded. */
function activeWorker(): FakeServiceWorker {
  return (page.registration.active = new FakeServiceWorker(page, 'https://site.test/tabserve-service-worker.js'));
}

test('simultaneous callers share the requests to a silent service worker, which are repeated', async () => {
  const worker = activeWorker();
  worker.version = null;
  tabserve = register();
  await page.pass(20_000);
  await expect(tabserve.ready).rejects.toMatchObject({ code: 'engine_unavailable' });
  expect(worker.received).toHaveLength(4);
  worker.version = PROTOCOL_VERSION;
  await tabserve.retry();
  await tabserve.ready;
});

test('a question that was lost with the process of the service worker is asked again', async () => {
  const worker = activeWorker();
  worker.version = null;
  tabserve = register();
  await page.pass(3000);
  worker.version = PROTOCOL_VERSION;
  await page.pass(2000);
  expect(await tabserve.ready).toBeUndefined();
});

test.for([
  {
    fault: 'did not reply',
    arrange(worker: FakeServiceWorker) {
      worker.version = null;
      return () => (worker.version = PROTOCOL_VERSION);
    },
  },
  {
    fault: 'did not reply, so that it is not known that the models need no WebGPU,',
    arrange(worker: FakeServiceWorker) {
      delete page.navigator['gpu'];
      page.prepareEngine = (engine) => (engine.gpu = null);
      vi.stubGlobal('caches', { match: async () => undefined });
      worker.version = null;
      const models = [{ id: 'small', gguf: 'small.gguf' }];
      worker.options = { basePath: '/v1', siteModels: readSiteModels({ models, builtInModels: [] }, PAGE) };
      return () => (worker.version = PROTOCOL_VERSION);
    },
  },
  {
    fault: 'did not take control',
    arrange(worker: FakeServiceWorker) {
      worker.claims = false;
      return () => (worker.claims = true);
    },
  },
  {
    fault: 'could not be installed for want of a connection',
    arrange() {
      page.registration.active = null;
      page.container.register.mockResolvedValueOnce(page.registration);
      return () => {};
    },
  },
])('a page whose service worker $fault works by itself as soon as that is over', async ({ arrange }) => {
  const mend = arrange(activeWorker());
  tabserve = register();
  const first = tabserve.ready.catch(({ code }: ApiError) => code);
  await page.pass(16_000);
  expect(await first).toBe('engine_unavailable');
  mend();
  await page.pass(12_000);
  expect(tabserve.status.state).not.toBe('failed');
  await tabserve.ready;
});

test('calls reach the engine, with the preloaded model first', async () => {
  const endpoint = await begin({ preload: 'pocket' });
  await endpoint.load('other');
  await endpoint.call('models/list', null);
  expect(lastEngine().calls).toMatchObject([
    { name: 'models/preload', parameters: { id: 'pocket' } },
    { name: 'models/load', parameters: { id: 'other' } },
    { name: 'models/list', parameters: null },
  ]);
});

test('the status is not idle while an engine is about to preload a model, and is idle if it may not', async () => {
  const said: string[] = [];
  page.prepareEngine = (engine) => (engine.answersCalls = false);
  tabserve = register({ preload: 'pocket' });
  tabserve.addEventListener('statuschange', () => said.push(tabserve!.status.state));
  await tabserve.ready;
  await page.pass(0);
  expect(lastEngine().calls).toHaveLength(1);
  lastEngine().tell({ state: 'loading', model: 'pocket', progress: 0, text: '' });
  await page.pass(0);
  expect(said.filter((state) => state !== 'starting')).toEqual(['loading']);
});

test('the status has the sentences of the engine as codes, beside the English text', async () => {
  tabserve = register();
  await tabserve.ready;
  await page.pass(0);
  const sentences = [{ code: 'loadingWeights', values: [0.5] }] as const;
  lastEngine().tell({ state: 'loading', model: 'pocket', progress: 0.5, text: 'Loading', sentences });
  await page.pass(0);
  expect(tabserve.status).toEqual({ state: 'loading', model: 'pocket', progress: 0.5, message: 'Loading', sentences });
  const error = new ApiError('model_load_failed', { text: 'It is damaged.', sentences }).toData();
  lastEngine().tell({ state: 'failed', model: 'pocket', error });
  await page.pass(0);
  expect(tabserve.status).toMatchObject({ state: 'failed', message: 'It is damaged.', error: { sentences } });
});

test('a page whose requests bypass the service worker that controls it says that it must be reloaded', async () => {
  page.reachesWorker = false;
  tabserve = register();
  await expect(tabserve.ready).rejects.toMatchObject({ code: 'reload_required' });
  expect(page.container.controller).toBe(page.registration.active);
  expect(tabserve.status).toMatchObject({ state: 'failed', message: expect.stringContaining('Reload the page') });
  page.reachesWorker = true;
  await tabserve.retry();
  await tabserve.ready;
});

test('a page whose requests bypass the service worker later says so, and recovers when they reach it', async () => {
  const endpoint = await begin();
  await page.pass(5000);
  page.reachesWorker = false;
  page.record();
  await page.pass(0);
  await expect(endpoint.ready).rejects.toMatchObject({ code: 'reload_required' });
  expect(endpoint.status).toMatchObject({ state: 'failed', error: { code: 'reload_required' } });
  expect(page.console).toHaveBeenCalledTimes(1);
  const { length } = page.requests;
  page.record();
  await page.pass(100_000);
  expect(page.requests).toHaveLength(length);
  page.reachesWorker = true;
  await endpoint.retry();
  await endpoint.ready;
  await page.pass(0);
  expect(endpoint.status.state).toBe('idle');
  page.reachesWorker = false;
  await page.pass(100);
  page.record();
  await page.pass(0);
  expect(endpoint.status.state).toBe('failed');
});

test.each([
  ['that the service worker has answered', { workerStart: 7 }],
  ['for another resource', { name: 'https://site.test/v10/models' }],
  ['to another origin', { name: 'https://elsewhere.test/v1/models' }],
  ['that began before the service worker was active', { startTime: -1 }],
])('a request %s does not trigger a check for bypassing', async (_which, entry) => {
  const endpoint = await begin();
  const { length } = page.requests;
  await page.pass(1000);
  page.reachesWorker = false;
  page.record(entry);
  await page.pass(0);
  expect(page.requests).toHaveLength(length);
  expect(endpoint.status.state).toBe('idle');
});

test('if the browser does not report which requests the service worker handled, the check runs at most once a minute', async () => {
  const endpoint = await begin();
  const { length } = page.requests;
  for (let request = 0; request < 130; request++) {
    await page.pass(1000);
    page.record({ workerStart: 0 });
  }
  await page.pass(0);
  expect(page.requests.length - length).toBe(3);
  expect(endpoint.status.state).toBe('idle');
});

test('a page whose first check for bypassing fails offline is checked at a later request', async () => {
  page.reachesWorker = null;
  const begun = begin();
  await page.pass(1000);
  const endpoint = await begun;
  expect(endpoint.status.state).toBe('idle');
  await page.pass(1000);
  page.reachesWorker = false;
  page.record();
  await page.pass(0);
  expect(endpoint.status).toMatchObject({ state: 'failed', error: { code: 'reload_required' } });
});

test('retry() retries after a failure, with a new `ready`', async () => {
  page.container.register.mockRejectedValueOnce(new TypeError('No.'));
  tabserve = register();
  const first = tabserve.ready;
  await expect(first).rejects.toMatchObject({ code: 'engine_unavailable' });
  await tabserve.retry();
  expect(tabserve.ready).not.toBe(first);
  await tabserve.ready;
  await page.pass(0);
  expect(tabserve.status.state).toBe('idle');
  expect(page.console).toHaveBeenCalledTimes(1);
});

test('a working engine does not end the failure of a page whose requests do not reach it', async () => {
  workerInCharge().version = 0;
  tabserve = register();
  await expect(tabserve.ready).rejects.toThrow('versions');
  await page.pass(100);
  lastEngine().tell({ state: 'ready', model: 'pocket', gpu: 'scripted', promptCache: UNUSED, extensions: [] });
  await page.pass(100);
  expect(tabserve.status).toMatchObject({ state: 'failed', message: expect.stringContaining('versions') });
  page.registration.active = null;
  await tabserve.retry();
  await tabserve.ready;
  await page.pass(0);
  expect(tabserve.status.state).toBe('idle');
  expect(page.engines).toHaveLength(1);
});

test.for([
  { those: 'that are compatible are a warning', version: undefined, waits: false, says: 'npx tabserve init' },
  {
    those: 'that are compatible, with the right one waiting, are none once it has taken over',
    version: undefined,
    waits: true,
    says: null,
  },
  { those: 'that are incompatible are a failure', version: 0, waits: false, says: 'npx tabserve init' },
  {
    those: 'that are incompatible, with the right one waiting, are a failure',
    version: 0,
    waits: true,
    says: 'close the other tabs',
  },
])('a worker and a page of different versions $those', async ({ version, waits, says }) => {
  const worker = workerInCharge();
  worker.options = { basePath: '/v1', release: '0.0.1' };
  if (version !== undefined) worker.version = version;
  if (waits) {
    const right = new FakeServiceWorker(page, worker.scriptURL);
    right.options = { basePath: '/v1', release: VERSION };
    page.registration.waiting = right;
  }
  tabserve = register();
  const failure = await tabserve.ready.then(
    () => null,
    (thrown: ApiError) => thrown.message,
  );
  await page.pass(0);
  const { status } = tabserve;
  expect(status.state).toBe(version === 0 ? 'failed' : 'idle');
  const said = version === 0 ? failure : 'warning' in status ? status.warning : null;
  const parts = says === null ? [] : [says, worker.scriptURL, '0.0.1', VERSION];
  const onConsole = page.console.mock.calls.flat().join(' ');
  expect(parts.filter((part) => !said?.includes(part) || !onConsole.includes(part))).toEqual([]);
  expect(said === null).toBe(says === null);
  expect(page.console).toHaveBeenCalledTimes(says === null ? 0 : 1);
});

test('a browser that opens no database is not a failure: the status explains it, and the console once, until it opens', async () => {
  const open = vi.spyOn(store, 'open').mockRejectedValue(new ApiError('storage_unavailable', 'Not opened.'));
  const endpoint = await begin();
  await page.pass(10_000);
  expect(endpoint.status).toMatchObject({
    state: 'idle',
    keepsNothing: true,
    message: expect.stringContaining('keeps nothing'),
  });
  await page.pass(40_000);
  expect(page.console).toHaveBeenCalledTimes(1);
  open.mockRestore();
  await page.pass(20_000);
  expect(endpoint.status).toEqual({ state: 'idle', message: expect.not.stringContaining('keeps nothing') });
});

test('a model that fails to load does not end the endpoint: retry() loads it again', async () => {
  const endpoint = await begin();
  const { ready } = endpoint;
  const error = { status: 503, type: 'server_error', code: 'model_load_failed', param: null, message: 'No.' } as const;
  lastEngine().tell({ state: 'failed', model: 'pocket', error });
  await page.pass(0);
  expect(endpoint.status).toMatchObject({ state: 'failed', model: 'pocket', message: 'No.' });
  await endpoint.retry();
  expect(lastEngine().calls).toMatchObject([{ name: 'models/load', parameters: { id: 'pocket' } }]);
  expect(endpoint.ready).toBe(ready);
});

test('an engine that dies is replaced, each time if it lived long enough, and pending calls are rejected', async () => {
  const endpoint = await begin({ preload: 'pocket' });
  for (const number of [2, 3, 4]) {
    await page.pass(LONG_LIFE);
    const waiting = endpoint.call('models/list', null);
    lastEngine().die();
    await expect(waiting).rejects.toMatchObject({ code: 'engine_unavailable' });
    await page.pass(100);
    expect(page.engines).toHaveLength(number);
    expect(endpoint.status.state).toBe('idle');
    expect(lastEngine().calls).toHaveLength(1);
  }
  expect(page.console).not.toHaveBeenCalled();
});

test('without a GPU from the start nothing is retried', async () => {
  page.prepareEngine = (engine) => (engine.gpu = null);
  tabserve = register();
  await page.pass(1000);
  await expect(tabserve.ready).rejects.toMatchObject({ code: 'gpu_unavailable' });
  const { length } = page.engines;
  await page.pass(60_000);
  expect(tabserve.status).toMatchObject({ state: 'unsupported', reason: 'no-webgpu' });
  expect(page.engines).toHaveLength(length);
});

test('if a tab has had a GPU, a new engine without one means a crash, and is requested again', async () => {
  (await begin()).dispose();
  page.prepareEngine = (engine) => (engine.gpu = null);
  for (const engine of page.engines) engine.die();
  tabserve = register();
  await page.pass(900);
  expect(tabserve.status).toMatchObject({ state: 'failed', error: { code: 'gpu_device_lost', status: 503 } });
  const asked = page.askForEngine();
  await page.pass(500);
  expect(await asked).toMatchObject({ data: { error: { code: 'gpu_device_lost' } } });
  await page.pass(60_000);
  expect(tabserve.status).toMatchObject({ state: 'failed', error: { code: 'gpu_device_lost' } });
  page.prepareEngine = () => {};
  for (const engine of page.engines) engine.gpu = 'scripted';
  await page.pass(31_000);
  expect(tabserve.status.state).toBe('idle');
  await expect(tabserve.ready).resolves.toBeUndefined();
});

test.each([
  {
    models: 'that need it',
    entry: undefined,
    ends: { state: 'unsupported', reason: 'no-webgpu' },
    asked: { error: { code: 'gpu_unavailable' } },
  },
  {
    models: 'that also run on the processor',
    entry: { id: 'small', gguf: 'small.gguf' },
    ends: { state: 'idle' },
    asked: { type: 'engine-port' },
  },
])('a GPU that is missing for five minutes is given up, with models $models', async ({ entry, ends, asked }) => {
  if (entry) {
    vi.stubGlobal('caches', { match: async () => undefined });
    const siteModels = readSiteModels({ models: [entry], builtInModels: [] }, PAGE);
    activeWorker().options = { basePath: '/v1', siteModels };
  }
  page.navigator['gpu'] = { requestAdapter: async () => null };
  (await begin()).dispose();
  page.prepareEngine = (engine) => (engine.gpu = null);
  for (const engine of page.engines) engine.die();
  tabserve = register();
  await page.pass(270_000);
  expect(tabserve.status).toMatchObject({ state: 'failed', error: { code: 'gpu_device_lost' } });
  await page.pass(50_000);
  expect(tabserve.status).toMatchObject(ends);
  const { data, port } = await page.askForEngine();
  port?.close();
  expect(data).toMatchObject(asked);
  const { length } = page.engines;
  await page.pass(60_000);
  expect(page.engines).toHaveLength(length);
  // Nor does a reloaded page wait for it again.
  tabserve.dispose();
  tabserve = register();
  await page.pass(1000);
  expect(tabserve.status).toMatchObject(ends);
});

test('an engine whose thread is blocked is abandoned, and another one serves this page and its service worker', async () => {
  const endpoint = await begin({ preload: 'pocket' });
  const first = lastEngine();
  first.blocked = true;
  const waiting = endpoint.call('models/list', null).catch((thrown: unknown) => thrown);
  await page.pass(40_000);
  expect(await waiting).toMatchObject({ code: 'engine_unavailable', retryAfter: expect.any(Number) });
  expect(page.engines).toHaveLength(2);
  expect(endpoint.status.state).toBe('idle');
  // The page cannot know which model blocked the first engine.
  expect(lastEngine().calls).toEqual([]);
  const { port } = await page.askForEngine();
  port?.close();
  expect(page.engines).toHaveLength(2);
  await page.pass(60_000);
  expect(page.engines).toHaveLength(2);
  expect(page.console).not.toHaveBeenCalled();
});

test('a model whose load has blocked an engine is loaded only on request, until that succeeds', async () => {
  const stored = new Map<string, string>();
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
    removeItem: (key: string) => stored.delete(key),
  });
  const endpoint = await begin({ preload: 'endless' });
  const first = lastEngine();
  first.tell({ state: 'loading', model: 'endless', progress: 0, text: '' });
  await page.pass(0);
  first.blocked = true;
  await page.pass(40_000);
  first.die();
  await page.pass(LONG_LIFE);
  lastEngine().die();
  await page.pass(100);
  expect(page.engines).toHaveLength(3);
  expect(lastEngine().calls).toEqual([]);
  expect(stored.size).toBe(1);
  await endpoint.load('endless');
  lastEngine().tell({ state: 'ready', model: 'endless', gpu: 'scripted', promptCache: UNUSED, extensions: [] });
  await page.pass(LONG_LIFE);
  expect(stored.size).toBe(0);
  lastEngine().die();
  await page.pass(100);
  expect(lastEngine().calls).toMatchObject([{ name: 'models/preload', parameters: { id: 'endless' } }]);
});

test('an engine that dies early twice in a row is given up, until retry()', async () => {
  const endpoint = await begin();
  lastEngine().die();
  await page.pass(100);
  expect(endpoint.status.state).toBe('idle');
  lastEngine().die();
  await page.pass(100);
  expect(page.engines).toHaveLength(2);
  expect(endpoint.status).toMatchObject({ state: 'failed', error: { code: 'engine_unavailable' } });
  await expect(endpoint.ready).rejects.toMatchObject({ code: 'engine_unavailable' });
  expect(page.console).toHaveBeenCalledTimes(1);
  await endpoint.retry();
  await page.pass(0);
  expect(page.engines).toHaveLength(3);
  expect(endpoint.status.state).toBe('idle');
});

test('a page whose engine died early twice joins a later one, and does not retry forever', async () => {
  const endpoint = await begin();
  const dieYoung = async () => {
    lastEngine().die();
    await page.pass(100);
  };
  await dieYoung();
  await dieYoung();
  for (const [pause, engines] of [
    [10_000, 3],
    [30_000, 4],
  ] as const) {
    expect(endpoint.status.state).toBe('failed');
    await page.pass(pause);
    expect(page.engines).toHaveLength(engines);
    await dieYoung();
  }
  await page.pass(90_000);
  await endpoint.ready;
  expect(endpoint.status.state).toBe('idle');
  await dieYoung();
  await page.pass(300_000);
  expect(page.engines).toHaveLength(5);
  await expect(endpoint.ready).rejects.toMatchObject({ code: 'engine_unavailable' });
});

test('a service worker that requests the engine gets a port to it', async () => {
  await begin();
  const { data, port } = await page.askForEngine();
  expect(data).toMatchObject({ type: 'engine-port' });
  expect(port).toBeInstanceOf(MessagePort);
  port?.close();
});

test("a service worker's request makes a failed page try again", async () => {
  page.container.register.mockRejectedValueOnce(new TypeError('No.'));
  tabserve = register();
  await tabserve.ready.catch(() => {});
  const { data, port } = await page.askForEngine();
  expect(data).toMatchObject({ type: 'engine-port' });
  port?.close();
});

test('a service worker that requests the engine gets the reason why there is none', async () => {
  delete page.navigator['gpu'];
  tabserve = register();
  await tabserve.ready.catch(() => {});
  expect((await page.askForEngine()).data).toMatchObject({
    type: 'engine-failure',
    error: { code: 'gpu_unavailable' },
  });
});

test('a waiting newer service worker is announced, and takes over when the page says so', async () => {
  const endpoint = await begin();
  const heard = vi.fn<() => void>();
  endpoint.addEventListener('updateavailable', heard);
  const { registration } = page;
  const newer = new FakeServiceWorker(page, 'https://site.test/tabserve-service-worker.js');
  registration.installing = newer;
  registration.dispatchEvent(new Event('updatefound'));
  expect(endpoint.updateAvailable).toBe(false);
  registration.installing = null;
  registration.waiting = newer;
  newer.dispatchEvent(new Event('statechange'));
  await page.pass(0);
  expect(heard).toHaveBeenCalledTimes(1);
  expect(endpoint.updateAvailable).toBe(true);
  await endpoint.applyUpdate();
  expect(newer.received).toContainEqual({ type: 'SKIP_WAITING', waited: 0 });
  expect(page.location.reload).toHaveBeenCalledTimes(1);
});

test('a newer service worker that waits for running answers is told repeatedly how long it has waited, until it takes over', async () => {
  const endpoint = await begin();
  const newer = new FakeServiceWorker(page, 'https://site.test/tabserve-service-worker.js');
  const told = vi.spyOn(newer, 'postMessage').mockImplementation(() => {});
  page.registration.waiting = newer;
  const applied = endpoint.applyUpdate();
  await page.pass(150_000);
  expect(told.mock.calls.map(([message]) => message)).toEqual(
    [0, 60_000, 120_000].map((waited) => ({ type: 'SKIP_WAITING', waited })),
  );
  expect(page.location.reload).not.toHaveBeenCalled();
  page.takeOver(newer);
  await applied;
  expect(page.location.reload).toHaveBeenCalledTimes(1);
  await page.pass(100_000);
  expect(told).toHaveBeenCalledTimes(3);
});

test('the first service worker that controls a page is not an update', async () => {
  const first = new FakeServiceWorker(page, 'https://site.test/tabserve-service-worker.js');
  const { registration } = page;
  registration.installing = first;
  page.container.register.mockResolvedValue(registration);
  tabserve = register();
  await page.pass(0);
  Object.assign(registration, { installing: null, waiting: first });
  first.dispatchEvent(new Event('statechange'));
  Object.assign(registration, { waiting: null, active: first });
  first.dispatchEvent(new Event('statechange'));
  page.control(first);
  await tabserve.ready;
  expect(tabserve.updateAvailable).toBe(false);
});

test('a page whose data are cleared restarts service worker, engine and locks, and says so', async () => {
  const endpoint = await begin();
  const states: string[] = [];
  endpoint.addEventListener('statuschange', () => states.push(endpoint.status.state));
  for (const engines of [2, 3]) {
    const { ready } = endpoint;
    page.clearData();
    await page.pass(0);
    expect(endpoint.ready).not.toBe(ready);
    await endpoint.ready;
    await page.pass(100);
    expect(page.container.controller).toBe(page.registration.active);
    expect(page.engines).toHaveLength(engines);
    expect(page.engines.at(-2)!.abandoned).toBe(true);
    expect(states.splice(0)).toEqual(['starting', 'idle']);
    const { held } = await page.locks.query();
    expect(new Set(held.map(({ name }) => name.split(/[ -]/)[1]))).toEqual(new Set(['engine', 'page']));
  }
  expect(endpoint.updateAvailable).toBe(false);
  expect(page.console).not.toHaveBeenCalled();
});

test.each([
  [
    'their locks follow seconds after the service worker',
    async () => {
      page.unregister();
      page.loseController();
      await page.pass(8000);
      expect(page.engines).toHaveLength(1);
      page.clearLocks();
    },
  ],
  [
    'another tab registers the service worker again first',
    () => {
      page.unregister();
      page.clearLocks();
      const worker = (page.registration.active = new FakeServiceWorker(page, 'https://site.test/new.js'));
      page.registration.scope = 'https://site.test/';
      return page.container.register('https://site.test/new.js', {}).then(() => page.control(worker));
    },
  ],
])('a page whose data are cleared moves to the new locks even if %s', async (_, clear) => {
  const endpoint = await begin();
  await clear();
  await page.pass(3000);
  await endpoint.ready;
  expect(page.engines).toHaveLength(2);
  expect(page.engines[0]!.abandoned).toBe(true);
  const { held } = await page.locks.query();
  expect(new Set(held.map(({ name }) => name.split(/[ -]/)[1]))).toEqual(new Set(['engine', 'page']));
  expect(endpoint.status.state).toBe('idle');
});

test('a page whose engine ends while it moves to the new locks moves once', async () => {
  const endpoint = await begin();
  page.unregister();
  page.loseController();
  await page.pass(8000);
  page.clearLocks();
  // Another tab has moved first and ends the engine, while a new frame's lock manager is still asked.
  const { locks } = page;
  const slow = Object.assign(Object.create(locks) as typeof locks, {
    request: locks.request.bind(locks),
    query: () => new Promise((resolve) => setTimeout(() => resolve(locks.query()), 60)),
  });
  const frame = { contentWindow: { navigator: { locks: slow } }, remove: () => {} };
  vi.spyOn(document, 'createElement').mockImplementation(() => {
    setTimeout(() => page.engines[0]!.die(), 20);
    return frame as unknown as HTMLElement;
  });
  const states: string[] = [];
  endpoint.addEventListener('statuschange', () => states.push(endpoint.status.state));
  await page.pass(5000);
  expect(states).not.toContain('failed');
  expect(endpoint.status.state).toBe('idle');
  expect(page.engines).toHaveLength(2);
});

test('a page whose engine ends while it waits for new locks calls the next engine, although the first attempt goes on', async () => {
  const endpoint = await begin();
  await page.pass(LONG_LIFE);
  page.unregister();
  page.loseController();
  await page.pass(100);
  lastEngine().die();
  await page.pass(5000);
  await endpoint.ready;
  await endpoint.load('pocket');
  expect(lastEngine().calls).toMatchObject([{ name: 'models/load' }]);
  expect(endpoint.status.state).toBe('idle');
});

test('a page that has lost a registration removes its listeners from it', async () => {
  await begin();
  for (const lose of [() => page.clearData(), () => page.unregister()]) {
    const { registration } = page;
    expect(getEventListeners(registration, 'updatefound')).toHaveLength(1);
    lose();
    await page.pass(15_000);
    expect(page.registration).not.toBe(registration);
    expect(getEventListeners(registration, 'updatefound')).toEqual([]);
  }
});

test("a service worker's request while the data are cleared is answered with a port to the next engine", async () => {
  const endpoint = await begin();
  page.prepareEngine = (engine) => (engine.blocked = true);
  lastEngine().die();
  await page.pass(100);
  const asked = page.askForEngine();
  page.prepareEngine = () => {};
  page.clearData();
  await page.pass(1000);
  const { data, port } = await asked;
  expect(data).toMatchObject({ type: 'engine-port' });
  port?.close();
  expect(endpoint.status.state).toBe('idle');
});

test('a page whose data are cleared while the server is unreachable keeps trying', async () => {
  const endpoint = await begin();
  const { register: registerWorker } = page.container;
  const asked = registerWorker.mock.calls.length;
  for (let attempt = 0; attempt < 3; attempt++) registerWorker.mockRejectedValueOnce(new TypeError('Away.'));
  page.clearData();
  await page.pass(1000);
  expect(endpoint.status.state).toBe('failed');
  await page.pass(20_000);
  expect(registerWorker).toHaveBeenCalledTimes(asked + 4);
  expect(endpoint.status.state).toBe('idle');
  await endpoint.ready;
});

test('a page whose data are cleared keeps trying also when installations fail for minutes', async () => {
  const endpoint = await begin();
  page.clearData();
  const { active } = page.registration;
  page.registration.active = null;
  const { register: registerWorker } = page.container;
  const install = registerWorker.getMockImplementation()!;
  registerWorker.mockResolvedValue(page.registration);
  await page.pass(400_000);
  expect(endpoint.status.state).not.toBe('idle');
  page.registration.active = active;
  registerWorker.mockImplementation(install);
  await page.pass(70_000);
  expect(endpoint.status.state).toBe('idle');
});

for (const { moment, act } of [
  { moment: 'a while later', act: () => page.pass(5000) },
  {
    moment: 'when the page becomes visible again',
    act: async () => document.dispatchEvent(new Event('visibilitychange')),
  },
  { moment: 'at retry()', act: () => tabserve!.retry() },
]) {
  test(`an unregistered service worker is registered again ${moment}, with the same engine`, async () => {
    const endpoint = await begin();
    page.unregister();
    await page.pass(0);
    await act();
    await endpoint.ready;
    await page.pass(100);
    expect(page.registration.active).not.toBeNull();
    expect(endpoint.status.state).toBe('idle');
    expect(endpoint.updateAvailable).toBe(false);
    expect(page.engines).toHaveLength(1);
  });
}

test('a page whose service worker is no longer registered switches to the one of another tab', async () => {
  const endpoint = await begin();
  const former = page.container.controller;
  await page.pass(5000);
  page.unregister();
  const registration = await page.container.register(former!.scriptURL, {});
  expect(registration.active).not.toBe(former);
  await page.pass(15_000);
  expect(page.container.controller).toBe(registration.active);
  expect(endpoint.status.state).toBe('idle');
  expect(page.engines).toHaveLength(1);
});

test('dispose() leaves nothing of the page, which can register again', async () => {
  const endpoint = await begin();
  const waiting = endpoint.call('models/list', null);
  endpoint.dispose();
  await expect(waiting).rejects.toMatchObject({ code: 'engine_unavailable' });
  await expect(endpoint.ready).rejects.toThrow('dispose()');
  await expect(endpoint.load('pocket')).rejects.toThrow('dispose()');
  expect(endpoint.status).toMatchObject({ state: 'failed', message: expect.stringContaining('dispose()') });
  await endpoint.retry();
  await page.pass(0);
  const { held } = await page.locks.query();
  expect(held.filter(({ name }) => !name.startsWith('tabserve-engine '))).toEqual([]);
  expect(vi.getTimerCount()).toBe(0);
  expect(page.console).not.toHaveBeenCalled();
  const heard = vi.fn<() => void>();
  endpoint.addEventListener('statuschange', heard);
  lastEngine().tell({ state: 'ready', model: 'pocket', gpu: 'scripted', promptCache: UNUSED, extensions: [] });
  page.control(new FakeServiceWorker(page, 'https://site.test/newer.js'));
  await page.pass(0);
  expect(heard).not.toHaveBeenCalled();
  expect(endpoint.updateAvailable).toBe(false);
  expect(await Promise.race([page.askForEngine(), page.pass(100).then(() => 'no answer')])).toBe('no answer');
  const next = await begin();
  expect(next).not.toBe(endpoint);
  expect(page.engines).toHaveLength(1);
});

function workerInCharge(): FakeServiceWorker {
  return (page.registration.active = new FakeServiceWorker(page, 'https://site.test/tabserve-service-worker.js'));
}

for (const { waiting, arrange } of [
  {
    waiting: 'the engine',
    arrange: () => (page.prepareEngine = (engine) => (engine.connect = () => new MessageChannel().port1)),
  },
  { waiting: 'the reply of the service worker', arrange: () => (workerInCharge().version = null) },
  { waiting: 'the service worker to take control', arrange: () => (workerInCharge().claims = false) },
  { waiting: 'the registration', arrange: () => page.container.register.mockReturnValue(new Promise(() => {})) },
]) {
  test(`dispose() while a page waits for ${waiting} leaves nothing either`, async () => {
    arrange();
    const endpoint = (tabserve = register());
    await page.pass(100);
    expect(endpoint.status.state).not.toBe('failed');
    endpoint.dispose();
    await expect(endpoint.ready).rejects.toThrow('dispose()');
    await page.pass(100);
    const { held } = await page.locks.query();
    expect(held.filter(({ name }) => !name.startsWith('tabserve-engine '))).toEqual([]);
    expect(vi.getTimerCount()).toBe(0);
    expect(page.console).not.toHaveBeenCalled();
  });
}
