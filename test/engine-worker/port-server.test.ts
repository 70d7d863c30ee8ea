import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { EngineMethods } from '../../src/engine-worker/methods.ts';
import { ApiError } from '../../src/shared/api-error.ts';
import { builtInModel } from '../../src/shared/built-in-model.ts';
import { EngineClientIdentity, EngineConnection } from '../../src/shared/engine-connection.ts';
import { PROTOCOL_VERSION, type EngineReplyMessage } from '../../src/shared/messages.ts';
import { completionRequest } from '../support/completion-request.ts';
import { startEngineWorker, travel } from '../support/engine-worker.ts';
import { MemoryLocks } from '../support/web-locks.ts';

const SITE = 'https://site.test/';

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

const METHODS: EngineMethods = {
  double: (parameters) => Number(parameters) * 2,
  site: (_, { site }) => site,
  refuse: () => Promise.reject(new ApiError('model_not_found', 'No such model.', { param: 'model' })),
  break: () => Promise.reject(new Error('secret')),
};

function startWorker(pace?: number) {
  const worker = startEngineWorker({ site: SITE, locks, methods: METHODS, ...(pace === undefined ? {} : { pace }) });
  workers.push(worker);
  return worker;
}

async function open(port: MessagePort, client: 'service-worker' | 'page', identity = new EngineClientIdentity(client)) {
  const messages: EngineReplyMessage[] = [];
  const connection = await EngineConnection.open(port, identity, SITE, (message) => messages.push(message));
  return { connection, messages, identity };
}

const ask = (text: string, requestId = text, fingerprint = text) =>
  ({ type: 'complete', requestId, fingerprint, holdTime: 60_000, request: completionRequest(text) }) as const;

const events = (messages: EngineReplyMessage[], requestId: string) =>
  messages.flatMap((message) =>
    message.type === 'events' && message.requestId === requestId
      ? message.events.map((event, index) => ({ sequence: message.sequence + index, event }))
      : [],
  );

test('a hello is answered with who the engine is, and tells it the site', async () => {
  const { connect, server } = startWorker();
  const { connection } = await open(connect(), 'page');
  expect(connection.gpu).toBe('test adapter');
  await expect(server.site).resolves.toBe(SITE);
});

test('a completion arrives as numbered events without gaps', async () => {
  const { connect, engine } = startWorker();
  const { connection, messages } = await open(connect(), 'service-worker');
  engine.runFreely();
  connection.post(ask('one two'));
  await travel();
  const received = events(messages, 'one two');
  expect(received.map(({ sequence }) => sequence)).toEqual([0, 1, 2, 3, 4]);
  expect(received.map(({ event }) => event.type)).toEqual(['prefill', 'delta', 'delta', 'finish', 'done']);
});

test('what a fast model writes leaves together, and with the end of the answer at the latest', async () => {
  const { connect, engine } = startWorker(60_000);
  const { connection, messages } = await open(connect(), 'service-worker');
  engine.runFreely();
  connection.post(ask('one two three'));
  await travel();
  const together = messages.flatMap((message) =>
    message.type === 'events' ? [message.events.map(({ type }) => type).join(' ')] : [],
  );
  expect(together).toEqual(['prefill', 'delta', 'delta delta finish done']);
});

test('cancel ends the completion, and its events', async () => {
  const { connect, engine } = startWorker();
  const { connection, messages } = await open(connect(), 'service-worker');
  connection.post(ask('1 2 3 4'));
  await travel();
  await engine.advance();
  connection.post({ type: 'cancel', requestId: '1 2 3 4' });
  await travel();
  await engine.advance();
  expect(engine.history.at(-1)).toBe('stopped');
  expect(events(messages, '1 2 3 4').map(({ event }) => event.type)).toEqual(['prefill', 'delta']);
});

test('a second service worker inherits the unfinished answer of the first, whose port falls silent', async () => {
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

test('an answer that was handed on is not given to a later request of the same kind', async () => {
  const { connect, engine } = startWorker();
  engine.runFreely();
  const first = await open(connect(), 'service-worker');
  first.connection.post(ask('1', 'first', 'same'));
  await travel();
  first.connection.post({ type: 'delivered', requestId: 'first' });
  await travel();
  const second = await open(connect(), 'service-worker');
  second.connection.post(ask('1', 'second', 'same'));
  await travel();
  expect(engine.history).toEqual(['generate a: 1', 'generate a: 1']);
});

test('two ports of one service worker live side by side, and so do those of two sites', async () => {
  const { connect, engine } = startWorker();
  const one = await open(connect(), 'service-worker');
  const again = await open(connect(), 'service-worker', one.identity);
  const elsewhere: EngineReplyMessage[] = [];
  await EngineConnection.open(
    connect(),
    new EngineClientIdentity('service-worker'),
    'https://site.test/other/',
    (message) => {
      elsewhere.push(message);
    },
  );
  engine.runFreely();
  one.connection.post(ask('1'));
  again.connection.post(ask('2'));
  await travel();
  expect(events(one.messages, '1').at(-1)?.event.type).toBe('done');
  expect(events(again.messages, '2').at(-1)?.event.type).toBe('done');
});

test('pages hear the status at once and whenever it changes', async () => {
  const { connect, completions, engine } = startWorker();
  engine.loadedModel = null;
  const { connection, messages } = await open(connect(), 'page');
  connection.post({ type: 'watch-status' });
  await travel();
  engine.runFreely();
  await completions.load({ ...builtInModel(SITE), id: 'a' });
  await travel();
  const states = messages.flatMap((message) => (message.type === 'status' ? [message.status.state] : []));
  expect([states[0], states[1], states.at(-1)]).toEqual(['idle', 'loading', 'ready']);
});

test('a call is answered by its method, with its result or its error', async () => {
  const { connect } = startWorker();
  const { connection, messages } = await open(connect(), 'page');
  const log = vi.spyOn(console, 'error').mockImplementation(() => {});
  for (const [callId, method] of Object.entries({ a: 'double', b: 'site', c: 'refuse', d: 'break', e: 'toString' })) {
    connection.post({ type: 'call', callId, method, parameters: 21 });
  }
  await travel();
  expect(
    Object.fromEntries(messages.flatMap((message) => ('callId' in message ? [[message.callId, message]] : []))),
  ).toMatchObject({
    a: { type: 'result', value: 42 },
    b: { type: 'result', value: SITE },
    c: { type: 'failure', error: { code: 'model_not_found', param: 'model' } },
    d: { type: 'failure', error: { code: 'internal_error', message: expect.not.stringContaining('secret') } },
    e: { type: 'failure', error: { code: 'internal_error' } },
  });
  log.mockRestore();
});

test('the death of the engine ends the connection with a reason', async () => {
  const { connect, die } = startWorker();
  const { connection } = await open(connect(), 'service-worker');
  expect(connection.ended.aborted).toBe(false);
  die();
  await travel();
  expect(connection.ended.reason).toMatchObject({ code: 'engine_unavailable' });
});

test('a client of another version is told so and served nothing', async () => {
  const { connect, engine } = startWorker();
  const port = connect();
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

test('a port that was never introduced is served nothing', async () => {
  const { connect, engine } = startWorker();
  const port = connect();
  port.postMessage(ask('1'));
  await travel();
  expect(engine.history).toEqual([]);
});
