import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import * as v from 'valibot';
import type { CallHandlers } from '../../../src/engine-worker/ports/call-handlers.ts';
import { ApiError } from '../../../src/shared/api-error.ts';
import { builtInModel } from '../../../src/shared/models/built-in-models.ts';
import {
  EngineClientIdentity,
  EngineConnection,
  type EnginePort,
} from '../../../src/shared/messaging/engine-connection.ts';
import { PROTOCOL_VERSION, type EngineReplyMessage } from '../../../src/shared/messaging/messages.ts';
import type { SiteModels } from '../../../src/shared/models/site-models.ts';
import { completionRequest } from '../../support/fakes/completion-request.ts';
import { startEngineWorker, travel } from '../../support/fakes/engine-worker.ts';
import { MemoryLocks } from '../../support/fakes/web-locks.ts';

const SITE = 'https://site.test/';
const OTHER_SITE = 'https://site.test/other/';

let locks: MemoryLocks;
let workers: ReturnType<typeof startEngineWorker>[];

beforeEach(() => {
  locks = new MemoryLocks();
  workers = [];
  vi.stubGlobal('navigator', { locks });
});

afterEach(() => {
  for (const { die } of workers) die();
  vi.unstubAllGlobals();
});

const ModelId = v.object({ id: v.string() });

const HANDLERS: Partial<CallHandlers> = {
  'models/size': { parameters: ModelId, run: async ({ id }, site) => (id + site).length },
  'models/load': {
    parameters: ModelId,
    run: () => Promise.reject(new ApiError('model_not_found', 'No such model.', { param: 'id' })),
  },
  'models/pause': { parameters: ModelId, run: () => Promise.reject(new Error('secret')) },
};

function startWorker(pace?: number, sites?: Map<string, SiteModels>) {
  const options = { ...(pace === undefined ? {} : { pace }), ...(sites && { sites }) };
  const worker = startEngineWorker({ locks, handlers: HANDLERS, ...options });
  workers.push(worker);
  return worker;
}

async function open(
  port: EnginePort,
  client: 'service-worker' | 'page',
  {
    identity = new EngineClientIdentity(client),
    site = SITE,
    siteModels,
  }: { identity?: EngineClientIdentity; site?: string; siteModels?: SiteModels | undefined } = {},
) {
  const messages: EngineReplyMessage[] = [];
  const connection = await EngineConnection.open(port, identity, { site, siteModels }, (message) =>
    messages.push(message),
  );
  if (!connection) throw new Error('No welcome.');
  return { connection, messages, identity };
}

const ask = (text: string, requestId = text, fingerprint = text) => {
  const request = completionRequest(text);
  return { type: 'complete', subscription: 1, requestId, fingerprint, holdTime: 60_000, request } as const;
};

const events = (messages: EngineReplyMessage[], requestId: string) =>
  messages.flatMap((message) =>
    message.type === 'events' && message.requestId === requestId
      ? message.events.map((event, index) => ({ sequence: message.sequence + index, event }))
      : [],
  );

test('the engine answers a hello with its identity', async () => {
  const { connection } = await open(startWorker().connect(), 'page');
  expect(connection.gpu).toBe('test adapter');
});

test('a port that a page sends is served, such as that of the service worker', async () => {
  const { connect, engine } = startWorker();
  engine.runFreely();
  const { port, lockName } = connect();
  const { connection } = await open({ port, lockName }, 'page');
  const { port1, port2 } = new MessageChannel();
  connection.post({ type: 'serve' }, [port2]);
  const further = await open({ port: port1, lockName }, 'service-worker');
  connection.close();
  further.connection.post(ask('one two'));
  await travel();
  expect(events(further.messages, 'one two').at(-1)?.event.type).toBe('done');
  further.connection.close();
});

test('each completion uses a model of the site that requested it', async () => {
  const { connect, engine } = startWorker();
  engine.loadedModel = null;
  engine.runFreely();
  const load = vi.spyOn(engine, 'load');
  for (const [site, model] of [
    [SITE, 'a'],
    [OTHER_SITE, 'b'],
  ] as const) {
    const { connection } = await open(connect(), 'service-worker', { site });
    connection.post({ ...ask(model), request: completionRequest('1', model) });
    await travel();
  }
  expect(load.mock.calls.map(([{ modelUrl }]) => modelUrl)).toEqual(
    [SITE, OTHER_SITE].map((site) => builtInModel(site).modelUrl),
  );
});

test('the models of a site are those of its latest connection', async () => {
  const sites = new Map<string, SiteModels>();
  const { connect } = startWorker(undefined, sites);
  const [first, second] = ['https://one.test/', 'https://two.test/'].map((catalogueBase) => ({
    entries: [],
    catalogueBase,
  }));
  await open(connect(), 'page', { siteModels: first });
  await open(connect(), 'page', { site: OTHER_SITE, siteModels: first });
  await open(connect(), 'service-worker', { siteModels: second });
  expect(Object.fromEntries(sites)).toEqual({ [SITE]: second, [OTHER_SITE]: first });
});

test('a completion is sent as consecutively numbered events', async () => {
  const { connect, engine } = startWorker();
  const { connection, messages } = await open(connect(), 'service-worker');
  engine.runFreely();
  connection.post(ask('one two'));
  await travel();
  const received = events(messages, 'one two');
  expect(received.map(({ sequence }) => sequence)).toEqual([0, 1, 2, 3, 4]);
  expect(received.map(({ event }) => event.type)).toEqual(['prefill', 'delta', 'delta', 'finish', 'done']);
});

test('an empty message confirms a request, and the pieces of a fast model are sent together, at the latest with the end of the answer', async () => {
  const { connect, engine } = startWorker(60_000);
  const { connection, messages } = await open(connect(), 'service-worker');
  engine.runFreely();
  connection.post(ask('one two three'));
  await travel();
  const together = messages.flatMap((message) =>
    message.type === 'events' ? [message.events.map(({ type }) => type).join(' ')] : [],
  );
  expect(together).toEqual(['', 'prefill delta', 'delta delta finish done']);
});

test('cancel ends the completion and its events', async () => {
  const { connect, engine } = startWorker();
  const { connection, messages } = await open(connect(), 'service-worker');
  connection.post(ask('1 2 3 4'));
  await travel();
  await engine.advance();
  connection.post({ type: 'cancel', subscription: 1, requestId: '1 2 3 4' });
  await travel();
  await engine.advance();
  expect(engine.history.at(-1)).toBe('stopped');
  expect(events(messages, '1 2 3 4').map(({ event }) => event.type)).toEqual(['prefill', 'delta']);
});

test('a second service worker takes over the unfinished answer of the first, whose port gets no more events', async () => {
  const { connect, engine } = startWorker();
  const first = await open(connect(), 'service-worker');
  first.connection.post(ask('1 2 3', 'old id', 'same'));
  await travel();
  await engine.advance(2);
  const second = await open(connect(), 'service-worker');
  second.connection.post(ask('1 2 3', 'new id', 'same'));
  await travel();
  await engine.advance(3);
  await travel();
  expect(events(second.messages, 'new id').map(({ event }) => event.type)).toEqual([
    'prefill',
    'delta',
    'delta',
    'delta',
    'finish',
    'done',
  ]);
  expect(events(first.messages, 'old id').length).toBeLessThan(5);
  expect(engine.history).toEqual(['generate a: 1 2 3']);
});

test('a delivered answer is not sent to a later request of the same kind', async () => {
  const { connect, engine } = startWorker();
  engine.runFreely();
  const first = await open(connect(), 'service-worker');
  first.connection.post(ask('1', 'first', 'same'));
  await travel();
  first.connection.post({ type: 'delivered', subscription: 1, requestId: 'first' });
  await travel();
  const second = await open(connect(), 'service-worker');
  second.connection.post(ask('1', 'second', 'same'));
  await travel();
  expect(engine.history).toEqual(['generate a: 1', 'generate a: 1']);
});

test('two ports of one service worker coexist, and so do those of two sites', async () => {
  const { connect, engine } = startWorker();
  const one = await open(connect(), 'service-worker');
  const again = await open(connect(), 'service-worker', one);
  await open(connect(), 'service-worker', { site: OTHER_SITE });
  engine.runFreely();
  one.connection.post(ask('1'));
  again.connection.post(ask('2'));
  await travel();
  expect(events(one.messages, '1').at(-1)?.event.type).toBe('done');
  expect(events(again.messages, '2').at(-1)?.event.type).toBe('done');
});

test('an engine knows that a page has accepted it when the page watches its status: a hello comes before the welcome', async () => {
  const onAccepted = vi.fn<() => void>();
  const worker = startEngineWorker({ locks, onAccepted });
  workers.push(worker);
  await open(worker.connect(), 'service-worker');
  const { connection } = await open(worker.connect(), 'page');
  await travel();
  expect(onAccepted).not.toHaveBeenCalled();
  connection.post({ type: 'watch-status' });
  await travel();
  expect(onAccepted).toHaveBeenCalledTimes(1);
});

test('pages get the status at once and on every change', async () => {
  const { connect, completions, engine } = startWorker();
  engine.loadedModel = null;
  const { connection, messages } = await open(connect(), 'page');
  connection.post({ type: 'watch-status' });
  await travel();
  engine.runFreely();
  await completions.load({ ...builtInModel(SITE), id: 'a' }, SITE);
  await travel();
  const states = messages.flatMap((message) => (message.type === 'status' ? [message.status.state] : []));
  expect([states[0], states[1], states.at(-1)]).toEqual(['idle', 'loading', 'ready']);
});

test('a call is answered by its handler, with its result or its error', async () => {
  const { connect } = startWorker();
  const { connection, messages } = await open(connect(), 'page');
  const log = vi.spyOn(console, 'error').mockImplementation(() => {});
  const parameters = { id: 'twelve bytes' };
  for (const [callId, name] of Object.entries({ a: 'models/size', c: 'models/load', d: 'models/pause' } as const)) {
    connection.post({ type: 'call', callId, name, parameters });
  }
  await travel();
  expect(
    Object.fromEntries(messages.flatMap((message) => ('callId' in message ? [[message.callId, message]] : []))),
  ).toMatchObject({
    a: { type: 'result', name: 'models/size', value: 12 + SITE.length },
    c: { type: 'failure', error: { code: 'model_not_found', param: 'id' } },
    d: { type: 'failure', error: { code: 'internal_error', message: expect.not.stringContaining('secret') } },
  });
  log.mockRestore();
});

const malformed = [
  {
    what: 'an unknown call name',
    message: { name: 'toString', parameters: null },
    code: 'internal_error',
    param: null,
  },
  { what: 'no parameters', message: { name: 'models/load', parameters: null }, code: 'invalid_type', param: null },
  { what: 'a missing parameter', message: { name: 'models/load', parameters: {} }, code: 'invalid_type', param: 'id' },
  {
    what: 'a parameter of another type',
    message: { name: 'models/load', parameters: { id: 1 } },
    code: 'invalid_type',
    param: 'id',
  },
];

test.each(malformed)('a call with $what fails and says so', async ({ message, code, param }) => {
  const port = startWorker().connect();
  const { messages } = await open(port, 'page');
  port.port.postMessage({ type: 'call', callId: 'a', ...message });
  await travel();
  expect(messages).toMatchObject([{ type: 'failure', callId: 'a', error: { code, param } }]);
});

test('the death of the engine closes the connection with a reason', async () => {
  const { connect, die } = startWorker();
  const { connection } = await open(connect(), 'service-worker');
  expect(connection.ended.aborted).toBe(false);
  die();
  await travel();
  expect(connection.ended.reason).toMatchObject({ code: 'engine_unavailable' });
});

test('a closed connection leaves no subscription in the engine, although its client lives', async () => {
  const { connect, engine } = startWorker();
  const first = await open(connect(), 'page');
  first.connection.post(ask('1 2 3', 'first', 'same'));
  await travel();
  first.connection.close();
  await travel();
  const second = await open(connect(), 'page', { identity: first.identity });
  second.connection.post(ask('1 2 3', 'second', 'same'));
  engine.runFreely();
  await travel();
  expect(engine.history).toEqual(['generate a: 1 2 3']);
  expect(events(second.messages, 'second').at(-1)?.event.type).toBe('done');
});

test('a client of another version is told so and gets nothing else', async () => {
  const { connect, engine } = startWorker();
  const { port } = connect();
  const welcome = new Promise((resolve) =>
    port.addEventListener('message', ({ data }) => resolve(data), { once: true }),
  );
  port.start();
  port.postMessage({ type: 'hello', version: PROTOCOL_VERSION + 1, client: 'page', incarnation: 'x', site: SITE });
  port.postMessage(ask('1'));
  await expect(welcome).resolves.toMatchObject({ type: 'welcome', version: PROTOCOL_VERSION });
  await travel();
  expect(engine.history).toEqual([]);
});

test('a port without a handshake gets nothing', async () => {
  const { connect, engine } = startWorker();
  const { port } = connect();
  port.postMessage(ask('1'));
  await travel();
  expect(engine.history).toEqual([]);
});

test('the engine knows when its last page left, whatever service workers do', async () => {
  const { server, connect } = startWorker();
  const begun = server.lastPageLeft;
  const [page, serviceWorker] = [await open(connect(), 'page'), await open(connect(), 'service-worker')];
  serviceWorker.connection.close();
  await travel();
  expect([server.pages.length, server.lastPageLeft]).toEqual([1, begun]);
  page.connection.close();
  await travel();
  expect(server.pages).toHaveLength(0);
  expect(server.lastPageLeft).toBeGreaterThan(begun);
});

test('a page that was closed before its hello is read is no client of the engine', async () => {
  const worker = startWorker();
  const unblock = worker.block();
  const life = new AbortController();
  const opening = open(worker.connect(), 'page', { identity: new EngineClientIdentity('page', life.signal) });
  await travel();
  // The browser releases the locks of a closed page.
  life.abort(new Error('closed'));
  await expect(opening).rejects.toThrow('closed');
  unblock();
  await travel();
  expect(worker.server.pages).toHaveLength(0);
  expect(worker.server.isUsed).toBe(false);
});
